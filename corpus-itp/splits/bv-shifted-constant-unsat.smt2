; corpus-smt/bv/shifted-constant-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (! (= (bvshl #b101 y) (bvadd x x)) :interpolation-group g1))
(assert (! (= (bvshl x y) #b100) :interpolation-group g0))
(check-sat)
