; A drawn question to simplify: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((m (store ((as const (Array Int (Array Int Int))) (store ((as const (Array Int Int)) (- 1)) 1 7)) 1 (store (store ((as const (Array Int Int)) 3) 2 (- 2)) 1 0))) (n (store ((as const (Array Int (Array Int Int))) (store ((as const (Array Int Int)) (- 1)) 1 7)) 1 (store (store ((as const (Array Int Int)) 3) 2 (- 2)) 1 0))) (a ((as const (Array Int Int)) (- 2))) (i (- 2))))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (= (select a (ite (= 0 0) i i)) i))
(check-sat)
