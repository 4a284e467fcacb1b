; 19 is a square in 8 bits
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 8))
(assert (= (bvmul x x) (_ bv19 8)))
(check-sat)
