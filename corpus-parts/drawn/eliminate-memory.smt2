; A drawn question to eliminate: memory.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (y) ((a ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x0)) (b ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x0)) (x #x8) (y #x8)) ((by qe2)))")
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun b () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (distinct #x0 (bvadd (bvadd (select a x) y) (ite (distinct a a a) (select b #x3) #x3)) (ite (= (store b #x3 #x0) a) x (ite (= b b) #x0 x))))
(check-sat)
