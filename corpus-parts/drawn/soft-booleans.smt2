; A drawn question to soft: booleans.
(set-logic ALL)
(set-info :chcfuzz-part "(soft () ((a ((as const (Array Int Bool)) false)) (b (store ((as const (Array Int Bool)) false) 4 true)) (c true) (i 4)) ((engine maxres)))")
(declare-fun a () (Array Int Bool))
(declare-fun b () (Array Int Bool))
(declare-fun c () Bool)
(declare-fun i () Int)
(assert (select ((as const (Array Int Bool)) c) (ite c 0 i)))
(check-sat)
