; A drawn question to push: booleans.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((a ((as const (Array Int Bool)) false)) (b ((as const (Array Int Bool)) false)) (c true) (i (- 2))))")
(declare-fun a () (Array Int Bool))
(declare-fun b () (Array Int Bool))
(declare-fun c () Bool)
(declare-fun i () Int)
(assert (= (store (ite c b b) i (not c)) ((as const (Array Int Bool)) (= 0 i))))
(check-sat)
