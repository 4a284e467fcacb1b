; A drawn question to qe-lite: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(qe-lite (a i) ((m (store (store ((as const (Array Int (Array Int Int))) (store ((as const (Array Int Int)) 1) 7 7)) 7 (store (store ((as const (Array Int Int)) 7) 3 (- 1)) 1 3)) (- 1) ((as const (Array Int Int)) 1))) (n (store (store ((as const (Array Int (Array Int Int))) (store ((as const (Array Int Int)) 1) 7 7)) 7 (store (store ((as const (Array Int Int)) 7) 3 (- 1)) 1 3)) (- 1) ((as const (Array Int Int)) 1))) (a (store ((as const (Array Int Int)) (- 2)) 2 7)) (i (- 2))))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (= (store n i a) (store (store m i a) (ite (distinct a a a) 0 1) (select n 0))))
(check-sat)
