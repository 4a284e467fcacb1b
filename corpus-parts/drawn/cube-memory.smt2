; A drawn question to cube: memory.
(set-logic ALL)
(set-info :chcfuzz-part "(cube () ((a ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x1)) (b ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x1)) (x #xf) (y #x7)))")
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun b () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (bvult y (bvadd y (select (ite (= a a) a a) y))))
(check-sat)
