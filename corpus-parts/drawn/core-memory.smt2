; A drawn question to core: memory.
(set-logic ALL)
(set-info :chcfuzz-part "(core () ((a (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x2) #xf #x5)) (b (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x8) #x0 #x5)) (x #xf) (y #xf)))")
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun b () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (distinct a ((as const (Array (_ BitVec 4) (_ BitVec 4))) x) (store (ite (= #x3 #x3) ((as const (Array (_ BitVec 4) (_ BitVec 4))) x) (store b #x3 x)) (ite (bvult x #x3) #x3 #x0) (bvadd (ite (= a a) y y) (ite (distinct #x3 y x) #x0 #x3)))))
(check-sat)
