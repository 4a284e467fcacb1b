; a sum of 7 bits is less than its first term, which is set in its highest bit
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 7))
(declare-fun y () (_ BitVec 7))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 6 6) x) #b1))
(assert (= ((_ extract 6 6) y) #b1))
(check-sat)
