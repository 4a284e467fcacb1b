; no single is 1/10
(set-logic ALL)
(set-info :status unsat)
(declare-fun r () Real)
(assert (= r (fp.to_real ((_ to_fp 8 24) RNE (/ 1.0 10.0)))))
(assert (= r (/ 1.0 10.0)))
(check-sat)
