; A question about corpus-smt/quantifiers/booleans-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((q true)))")
(declare-fun q () Bool)
(assert (forall ((x Bool))
    (exists ((y Bool)) (= (xor x y) q))))
(assert (= q (forall ((x Bool)) (or x (not x)))))
(assert q)
(check-sat)
