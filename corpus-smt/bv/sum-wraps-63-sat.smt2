; a sum of 63 bits is less than its first term, which is set in its highest bit
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 63))
(declare-fun y () (_ BitVec 63))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 62 62) x) #b1))
(assert (= ((_ extract 62 62) y) #b1))
(check-sat)
