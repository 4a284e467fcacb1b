; A drawn question to tactic: memory.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (snf) ((a ((as const (Array (_ BitVec 4) (_ BitVec 4))) #xf)) (b ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x1)) (x #xf) (y #xf)))")
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun b () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (distinct a (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x0) (bvadd #x0 #x0) (bvadd y x)) (store b (ite (bvult #x0 x) #x3 #x3) y)))
(check-sat)
