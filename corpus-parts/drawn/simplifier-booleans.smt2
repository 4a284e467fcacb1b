; A drawn question to simplifier: booleans.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (factor elim-predicates) ((a ((as const (Array Int Bool)) true)) (b ((as const (Array Int Bool)) true)) (c false) (i 0)))")
(declare-fun a () (Array Int Bool))
(declare-fun b () (Array Int Bool))
(declare-fun c () Bool)
(declare-fun i () Int)
(assert (= b (store (store (store a 0 c) (ite c 0 1) (select b i)) (ite (select b i) (+ i 0) (+ 1 i)) (distinct ((as const (Array Int Bool)) c) (store a 1 c) (ite c a a)))))
(check-sat)
