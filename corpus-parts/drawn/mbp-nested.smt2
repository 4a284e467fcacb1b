; A drawn question to mbp: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (m a) ((m ((as const (Array Int (Array Int Int))) (store ((as const (Array Int Int)) 1) (- 1) 2))) (n (store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) (- 2) (store ((as const (Array Int Int)) (- 1)) 4 4))) (a ((as const (Array Int Int)) (- 2))) (i 4)))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (not (= a (select m (select a 0)))))
(check-sat)
