; A drawn question to implicant: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((m ((as const (Array Int (Array Int Int))) (store (store ((as const (Array Int Int)) 0) 4 3) 2 7))) (n ((as const (Array Int (Array Int Int))) (store (store ((as const (Array Int Int)) 0) 4 3) 2 7))) (a (store ((as const (Array Int Int)) 7) 3 4)) (i 7)))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (= (select (ite (= a a) n m) (+ 1 1)) (select (store m i a) (+ 1 0))))
(check-sat)
