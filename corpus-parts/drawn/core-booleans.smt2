; A drawn question to core: booleans.
(set-logic ALL)
(set-info :chcfuzz-part "(core () ((a ((as const (Array Int Bool)) false)) (b ((as const (Array Int Bool)) false)) (c false) (i 3)))")
(declare-fun a () (Array Int Bool))
(declare-fun b () (Array Int Bool))
(declare-fun c () Bool)
(declare-fun i () Int)
(assert (= (ite (not c) (store a 0 c) (ite c b b)) ((as const (Array Int Bool)) (select a 0))))
(check-sat)
