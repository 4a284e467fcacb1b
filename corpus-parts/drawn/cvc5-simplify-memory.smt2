; A drawn question to cvc5-simplify: memory.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((a (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x0) #x0 #xf)) (b (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x0) #x0 #xf)) (x #xf) (y #xf)) ((substitutions true)))")
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun b () (Array (_ BitVec 4) (_ BitVec 4)))
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (not (= (select (ite (distinct a b a) b a) #x0) (bvadd (ite (= #x3 x) y #x3) #x0))))
(check-sat)
