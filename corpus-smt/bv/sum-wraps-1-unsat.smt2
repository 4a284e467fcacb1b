; a sum of 1 bits is less than its first term, which is clear, as in the second in its highest bit
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 1))
(declare-fun y () (_ BitVec 1))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 0 0) x) #b0))
(assert (= ((_ extract 0 0) y) #b0))
(check-sat)
