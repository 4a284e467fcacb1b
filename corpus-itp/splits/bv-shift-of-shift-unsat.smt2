; corpus-smt/bv/shift-of-shift-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (! (distinct (bvshl (bvshl x y) z) (bvshl x (bvadd y z))) :interpolation-group g1))
(assert (! (bvule y (bvadd y z)) :interpolation-group g0))
(check-sat)
