; A drawn question to qsat: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(qsat (i) ((m (store ((as const (Array Int (Array Int Int))) (store ((as const (Array Int Int)) 3) (- 1) (- 1))) 7 (store (store ((as const (Array Int Int)) 4) 1 (- 2)) (- 1) (- 1)))) (n (store (store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) 1 ((as const (Array Int Int)) 2)) 2 (store ((as const (Array Int Int)) (- 1)) (- 2) 3))) (a ((as const (Array Int Int)) 0)) (i 4)))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (not (distinct (select ((as const (Array Int (Array Int Int))) a) 0) (select (ite (= m m) m n) (select a i)) a)))
(check-sat)
