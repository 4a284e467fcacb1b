; A question about corpus-smt/bv/complement-forms-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (x) ((x #b000000000)))")
(declare-fun x () (_ BitVec 9))
(assert (= (bvneg x) (bvadd (bvnot x) #b000000001)))
(assert (distinct (bvneg x) (bvsub (bvnot x) #b000000001)))
(check-sat)
