; A question about corpus-smt/nia/binomial-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((x (- 4)) (y 2)))")
(declare-fun x () Int)
(declare-fun y () Int)
(assert (distinct (* (+ x y) (- x y)) (+ (* x x) (* y y))))
(assert (<= 1 y 3))
(check-sat)
