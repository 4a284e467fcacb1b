; A drawn question to consequences: booleans.
(set-logic ALL)
(set-info :chcfuzz-part "(consequences (a b) ((a ((as const (Array Int Bool)) false)) (b ((as const (Array Int Bool)) true)) (c false) (i (- 2))))")
(declare-fun a () (Array Int Bool))
(declare-fun b () (Array Int Bool))
(declare-fun c () Bool)
(declare-fun i () Int)
(assert (not (= b a)))
(check-sat)
