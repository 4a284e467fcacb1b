; A drawn question to project: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(project (m) ((m (store (store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) (- 2))) (- 1) (store ((as const (Array Int Int)) (- 2)) 1 7)) (- 2) (store ((as const (Array Int Int)) 7) 7 1))) (n (store (store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) (- 2))) (- 1) (store ((as const (Array Int Int)) (- 2)) 1 7)) (- 2) (store ((as const (Array Int Int)) 7) 7 1))) (a ((as const (Array Int Int)) (- 2))) (i 0)))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (= (ite (distinct a a a) (ite (distinct a a a) m m) m) m))
(check-sat)
