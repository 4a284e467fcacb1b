; a sum of 13 bits is less than its first term, which is clear, as in the second in its highest bit
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 13))
(declare-fun y () (_ BitVec 13))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 12 12) x) #b0))
(assert (= ((_ extract 12 12) y) #b0))
(check-sat)
