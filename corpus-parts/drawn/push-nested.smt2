; A drawn question to push: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((m (store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 7)) 7 (store (store ((as const (Array Int Int)) 1) 4 2) (- 1) 2))) (n (store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 7)) 7 (store (store ((as const (Array Int Int)) 1) 4 2) (- 1) 2))) (a ((as const (Array Int Int)) 0)) (i 7)))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (not (= (select ((as const (Array Int (Array Int Int))) (select n 1)) i) (store (ite (= 1 i) (store a 1 1) (ite (= a a) a a)) 0 i))))
(check-sat)
