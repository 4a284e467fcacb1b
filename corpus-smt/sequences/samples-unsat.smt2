; samples as floats: the two zeros are the same element
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Float32)
(declare-fun y () Float32)
(assert (and (fp.isZero x) (fp.isZero y)))
(assert (and (fp.isNegative x) (fp.isPositive y)))
(assert (= (seq.unit x) (seq.unit y)))
(check-sat)
