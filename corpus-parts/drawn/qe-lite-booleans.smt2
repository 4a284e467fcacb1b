; A drawn question to qe-lite: booleans.
(set-logic ALL)
(set-info :chcfuzz-part "(qe-lite (a) ((a ((as const (Array Int Bool)) false)) (b ((as const (Array Int Bool)) false)) (c true) (i (- 2))))")
(declare-fun a () (Array Int Bool))
(declare-fun b () (Array Int Bool))
(declare-fun c () Bool)
(declare-fun i () Int)
(assert (= b a))
(check-sat)
