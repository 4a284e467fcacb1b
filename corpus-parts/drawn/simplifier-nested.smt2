; A drawn question to simplifier: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (blast-term-ite blast-term-ite) ((m (store ((as const (Array Int (Array Int Int))) (store ((as const (Array Int Int)) 1) 2 0)) (- 2) (store ((as const (Array Int Int)) 4) (- 1) 2))) (n ((as const (Array Int (Array Int Int))) (store ((as const (Array Int Int)) (- 2)) 3 (- 1)))) (a ((as const (Array Int Int)) 3)) (i 7)))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (not (= m ((as const (Array Int (Array Int Int))) (ite (= a a) a (ite (= m m) a a))))))
(check-sat)
