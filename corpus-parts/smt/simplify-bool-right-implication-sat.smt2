; A question about corpus-smt/bool/right-implication-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((a false) (b false) (c false)))")
(declare-fun a () Bool)
(declare-fun b () Bool)
(declare-fun c () Bool)
(assert (distinct (=> a b c) (=> (=> a b) c)))
(check-sat)
