; A question about corpus-smt/fp/sign-bit-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((b #xff800001)))")
(declare-fun b () (_ BitVec 32))
(assert (bvslt b #x00000000))
(assert (not (fp.isNegative ((_ to_fp 8 24) b))))
(check-sat)
