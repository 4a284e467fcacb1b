; A question about corpus-smt/lia/absolute-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((x 0) (y 1) (z (- 1))))")
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun z () Int)
(assert (> (+ (abs (- x y)) (abs (- y z))) (abs (- x z))))
(assert (distinct x y z))
(check-sat)
