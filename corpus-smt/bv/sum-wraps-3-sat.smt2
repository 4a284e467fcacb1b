; a sum of 3 bits is less than its first term, which is set in its highest bit
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 2 2) x) #b1))
(assert (= ((_ extract 2 2) y) #b1))
(check-sat)
