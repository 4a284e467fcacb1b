; A question about corpus-smt/lia/parity-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(project (x y) ((x 3) (y 1)))")
(declare-fun x () Int)
(declare-fun y () Int)
(assert (= (+ (* 2 x) (* 4 y)) 10))
(assert (> x y))
(check-sat)
