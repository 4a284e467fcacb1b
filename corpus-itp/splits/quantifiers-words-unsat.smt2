; corpus-smt/quantifiers/words-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(assert (! (forall ((y (_ BitVec 3)))
    (= (bvmul x y) #b000)) :interpolation-group g1))
(assert (! (distinct x #b000) :interpolation-group g0))
(check-sat)
