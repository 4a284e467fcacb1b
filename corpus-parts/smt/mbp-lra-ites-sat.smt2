; A question about corpus-smt/lra/ites-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (c) ((x (- (/ 13.0 8.0))) (c (- (/ 13.0 8.0)))))")
(declare-fun x () Real)
(declare-fun c () Real)
(assert (= c (ite (< x (- (/ 7.0 4.0))) (- (/ 7.0 4.0)) (ite (> x (/ 5.0 2.0)) (/ 5.0 2.0) x))))
(assert (or (< c (- (/ 3.0 2.0))) (> c (/ 5.0 2.0))))
(check-sat)
