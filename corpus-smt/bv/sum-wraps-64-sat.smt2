; a sum of 64 bits is less than its first term, which is set in its highest bit
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 64))
(declare-fun y () (_ BitVec 64))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 63 63) x) #b1))
(assert (= ((_ extract 63 63) y) #b1))
(check-sat)
