; A question about corpus-smt/mixed/floor-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-disjunct (n) ((x (/ 1.0 2.0)) (n 0)))")
(declare-fun x () Real)
(declare-fun n () Int)
(assert (= n (to_int x)))
(assert (not (< (- x (/ 1.0 2.0)) (to_real n))))
(assert (not (is_int x)))
(check-sat)
