; a sum of 7 bits is less than its first term, which is clear, as in the second in its highest bit
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 7))
(declare-fun y () (_ BitVec 7))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 6 6) x) #b0))
(assert (= ((_ extract 6 6) y) #b0))
(check-sat)
