; A drawn question to tactic: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (elim-uncnstr2) ((m (store (store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 4)) 1 (store ((as const (Array Int Int)) (- 1)) 1 2)) 0 (store (store ((as const (Array Int Int)) (- 2)) 1 1) 3 7))) (n (store ((as const (Array Int (Array Int Int))) (store ((as const (Array Int Int)) 7) 2 (- 1))) (- 1) ((as const (Array Int Int)) (- 2)))) (a ((as const (Array Int Int)) 4)) (i (- 2))))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (not (= (ite (= a a) (store n 0 a) ((as const (Array Int (Array Int Int))) a)) ((as const (Array Int (Array Int Int))) (store a 0 0)))))
(check-sat)
