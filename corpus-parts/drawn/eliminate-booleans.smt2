; A drawn question to eliminate: booleans.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (i) ((a ((as const (Array Int Bool)) true)) (b ((as const (Array Int Bool)) false)) (c true) (i 1)) ((by qe-light)))")
(declare-fun a () (Array Int Bool))
(declare-fun b () (Array Int Bool))
(declare-fun c () Bool)
(declare-fun i () Int)
(assert (= (ite (not c) (+ 0 1) i) (+ (ite c 0 1) (+ i 0))))
(check-sat)
