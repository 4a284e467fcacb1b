; A drawn question to mbp: booleans.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (a) ((a (store ((as const (Array Int Bool)) true) 0 false)) (b ((as const (Array Int Bool)) true)) (c false) (i (- 2))))")
(declare-fun a () (Array Int Bool))
(declare-fun b () (Array Int Bool))
(declare-fun c () Bool)
(declare-fun i () Int)
(assert (= (ite c b a) a))
(check-sat)
