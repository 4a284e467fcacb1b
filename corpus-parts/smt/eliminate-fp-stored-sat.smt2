; A question about corpus-smt/fp/stored-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (a i x) ((a ((as const (Array (_ BitVec 4) (_ FloatingPoint 8 24))) (_ +zero 8 24))) (i #x0) (x (_ NaN 8 24))))")
(declare-fun a () (Array (_ BitVec 4) (_ FloatingPoint 8 24)))
(declare-fun i () (_ BitVec 4))
(declare-fun x () (_ FloatingPoint 8 24))
(assert (not (fp.eq x (select (store a i x) i))))
(check-sat)
