; a zero extension and a sign extension agree on numbers with a high bit
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(assert (= ((_ zero_extend 2) x) ((_ sign_extend 2) x)))
(assert (bvuge x #b100))
(check-sat)
