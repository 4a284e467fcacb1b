; A question about corpus-smt/mixed/rounding-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-disjunct (x) ((x (- (/ 3.0 8.0)))))")
(declare-fun x () Real)
(assert (> (ite (> x (to_real (to_int (+ x (/ 1.0 2.0))))) (- x (to_real (to_int (+ x (/ 1.0 2.0))))) (- (to_real (to_int (+ x (/ 1.0 2.0)))) x)) (/ 1.0 4.0)))
(check-sat)
