; A drawn question to eliminate: nested.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (n) ((m (store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 3)) (- 2) (store ((as const (Array Int Int)) 2) 1 0))) (n (store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 3)) (- 2) (store ((as const (Array Int Int)) 2) 1 0))) (a (store ((as const (Array Int Int)) 3) 4 1)) (i 2)))")
(declare-fun m () (Array Int (Array Int Int)))
(declare-fun n () (Array Int (Array Int Int)))
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(assert (= (select (ite (= a a) (ite (= a a) n m) (store m 0 a)) (+ (ite (= a a) 1 i) (select a 1))) (ite (distinct a (select m 0) a) (ite (= a a) a a) (select (ite (= n m) n m) (ite (= n m) 1 i)))))
(check-sat)
