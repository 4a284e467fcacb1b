; a sum of 64 bits is less than its first term, which is clear, as in the second in its highest bit
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 64))
(declare-fun y () (_ BitVec 64))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 63 63) x) #b0))
(assert (= ((_ extract 63 63) y) #b0))
(check-sat)
