; A question about corpus-smt/arrays/choice-of-arrays-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(bitwuzla-simplify () ((a ((as const (Array (_ BitVec 3) (_ BitVec 5))) #b00000)) (b ((as const (Array (_ BitVec 3) (_ BitVec 5))) #b00001)) (p true) (i #b000)))")
(declare-fun a () (Array (_ BitVec 3) (_ BitVec 5)))
(declare-fun b () (Array (_ BitVec 3) (_ BitVec 5)))
(declare-fun p () Bool)
(declare-fun i () (_ BitVec 3))
(assert (distinct (select (ite p a b) i) (ite (not p) (select a i) (select b i))))
(check-sat)
