; A question about corpus-smt/alt-ergo/476-division-by-a-quantified-number-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((x 12)))")
(declare-fun x () Int)
(assert (exists ((v Int))
    (and (distinct v 0) (= (mod 12 v) 0) (= x (div 12 v)) (< (- 4) v 4))))
(assert (> x 6))
(check-sat)
