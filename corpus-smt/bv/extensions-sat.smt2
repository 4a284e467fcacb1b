; a zero extension and a sign extension agree on small numbers
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 3))
(assert (= ((_ zero_extend 2) x) ((_ sign_extend 2) x)))
(assert (bvuge x #b011))
(check-sat)
