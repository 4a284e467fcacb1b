; corpus-smt/bv/repeat-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun b () (_ BitVec 1))
(declare-fun x () (_ BitVec 5))
(assert (! (= x (bvadd ((_ repeat 5) b) #b00000)) :interpolation-group g1))
(assert (! (distinct x #b00000) :interpolation-group g0))
(assert (! (distinct x #b11111) :interpolation-group g1))
(check-sat)
