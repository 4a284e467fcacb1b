; A drawn question to implicant: memory.
(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((a (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x5) #xf #x8)) (b (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x5) #xf #x8)) (x #x0) (y #x0)))")
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun b () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (= (bvadd y (ite (distinct #x0 x x) (ite (bvult y x) #x3 #x3) (bvadd x x))) y))
(check-sat)
