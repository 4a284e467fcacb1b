; A drawn question to cube: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(cube () ((m (store (store ((as const (Array Int (Array Int Int))) (store (store ((as const (Array Int Int)) (- 2)) 2 3) 4 0)) 1 ((as const (Array Int Int)) 2)) 7 (store (store ((as const (Array Int Int)) 1) 7 (- 1)) 3 0))) (n (store (store ((as const (Array Int (Array Int Int))) (store (store ((as const (Array Int Int)) (- 2)) 2 3) 4 0)) 1 ((as const (Array Int Int)) 2)) 7 (store (store ((as const (Array Int Int)) 1) 7 (- 1)) 3 0))) (a (store (store ((as const (Array Int Int)) 7) (- 1) 1) 1 (- 1))) (i (- 1))))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (= (store (store a i 1) 1 i) (select ((as const (Array Int (Array Int Int))) a) i)))
(check-sat)
