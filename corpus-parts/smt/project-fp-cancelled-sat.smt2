; A question about corpus-smt/fp/cancelled-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(project (x) ((x (_ +zero 8 24))))")
(declare-fun x () (_ FloatingPoint 8 24))
(assert (not (fp.isNaN x)))
(assert (not (fp.isInfinite x)))
(assert (= (_ -zero 8 24) (fp.sub RTN x x)))
(check-sat)
