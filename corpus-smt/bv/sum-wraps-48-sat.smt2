; a sum of 48 bits is less than its first term, which is set in its highest bit
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 48))
(declare-fun y () (_ BitVec 48))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 47 47) x) #b1))
(assert (= ((_ extract 47 47) y) #b1))
(check-sat)
