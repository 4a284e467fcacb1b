; A question about corpus-smt/arrays/index-by-element-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (p x) ((p (store ((as const (Array (_ BitVec 1) (_ BitVec 1))) #b1) #b1 #b0)) (x #b0)))")
(declare-fun p () (Array (_ BitVec 1) (_ BitVec 1)))
(declare-fun x () (_ BitVec 1))
(assert (distinct (select p #b0) (select p #b1)))
(assert (distinct (select p (select p x)) (select p x)))
(check-sat)
