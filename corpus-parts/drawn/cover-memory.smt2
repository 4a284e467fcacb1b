; A drawn question to cover: memory.
(set-logic ALL)
(set-info :chcfuzz-part "(cover (y) ((a (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x7) #xf #x2)) (b (store (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x8) #x1 #x1) #x5 #xf)) (x #xf) (y #x8)))")
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun b () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (not (= (ite (distinct #x3 y #x3) a a) (store a x #x3))))
(check-sat)
