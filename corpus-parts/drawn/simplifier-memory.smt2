; A drawn question to simplifier: memory.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (factor) ((a ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x7)) (b ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x7)) (x #x0) (y #xf)))")
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun b () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (= a b))
(check-sat)
