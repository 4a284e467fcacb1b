; A question about corpus-smt/arrays/read-over-write-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (push-app-ite cheap-fourier-motzkin) ((a ((as const (Array Int Int)) 6)) (i (- 1)) (j 0)))")
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(declare-fun j () Int)
(assert (distinct (select (store a i 5) j) 5))
(assert (= j (+ i 1)))
(check-sat)
