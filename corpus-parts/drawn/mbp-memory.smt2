; A drawn question to mbp: memory.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (b y) ((a (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x8) #x2 #x2)) (b (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #xf) #x7 #x8)) (x #xf) (y #xf)))")
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun b () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (= (bvadd y (select (store b x x) (bvadd #x0 #x0))) (bvadd (ite (= b a) (bvadd #x0 #x0) (select a x)) (bvadd #x3 (bvadd #x0 #x3)))))
(check-sat)
