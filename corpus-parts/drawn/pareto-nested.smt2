; A drawn question to pareto: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(pareto (m a i) ((m ((as const (Array Int (Array Int Int))) (store ((as const (Array Int Int)) 4) (- 1) 3))) (n (store ((as const (Array Int (Array Int Int))) (store ((as const (Array Int Int)) (- 1)) 2 3)) 1 (store ((as const (Array Int Int)) 7) 3 (- 2)))) (a ((as const (Array Int Int)) (- 1))) (i 4)) ((direction minimize)))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (distinct a (select m 1) ((as const (Array Int Int)) i)))
(check-sat)
