; A question about corpus-smt/bv/repeat-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (b x) ((b #b0) (x #b00001)))")
(declare-fun b () (_ BitVec 1))
(declare-fun x () (_ BitVec 5))
(assert (= x (bvadd ((_ repeat 5) b) #b00001)))
(assert (distinct x #b00000))
(assert (distinct x #b11111))
(check-sat)
