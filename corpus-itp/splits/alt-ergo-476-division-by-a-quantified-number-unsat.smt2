; corpus-smt/alt-ergo/476-division-by-a-quantified-number-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(assert (! (exists ((v Int))
    (and (distinct v 0) (= (mod 12 v) 0) (= x (div 12 v)) (< (- 4) v 4))) :interpolation-group g1))
(assert (! (> x 12) :interpolation-group g0))
(check-sat)
