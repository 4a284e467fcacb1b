; a sum of 33 bits is less than its first term, which is set in its highest bit
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 33))
(declare-fun y () (_ BitVec 33))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 32 32) x) #b1))
(assert (= ((_ extract 32 32) y) #b1))
(check-sat)
