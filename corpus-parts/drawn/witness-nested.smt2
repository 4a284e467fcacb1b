; A drawn question to witness: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(witness (m a) ((m ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) (- 2)))) (n ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) (- 2)))) (a ((as const (Array Int Int)) (- 2))) (i 4)))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (= m (store m 0 a)))
(check-sat)
