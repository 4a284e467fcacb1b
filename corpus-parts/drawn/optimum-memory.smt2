; A drawn question to optimum: memory.
(set-logic ALL)
(set-info :chcfuzz-part "(optimum (b) ((a ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x5)) (b ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x5)) (x #x7) (y #x2)))")
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun b () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (= a b))
(check-sat)
