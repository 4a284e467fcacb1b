; a sum of 5 bits is less than its first term, which is clear, as in the second in its highest bit
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 5))
(declare-fun y () (_ BitVec 5))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 4 4) x) #b0))
(assert (= ((_ extract 4 4) y) #b0))
(check-sat)
