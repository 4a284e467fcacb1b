; A drawn question to ground: memory.
(set-logic ALL)
(set-info :chcfuzz-part "(ground (x) ((a (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x0) #x2 #x2)) (b ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x2)) (x #x1) (y #x2)))")
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun b () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (= (ite (distinct b b a) (select a #x0) y) (select a (bvadd x x))))
(check-sat)
