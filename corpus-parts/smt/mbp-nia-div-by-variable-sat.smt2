; A question about corpus-smt/nia/div-by-variable-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (y) ((x 1) (y 2)))")
(declare-fun x () Int)
(declare-fun y () Int)
(assert (<= 1 y 4))
(assert (<= (- 9) x 9))
(assert (distinct x (+ (* y (div x y)) 0)))
(check-sat)
