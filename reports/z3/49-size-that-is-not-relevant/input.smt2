(declare-const n Int)
(declare-const a (FiniteSet Int))
(assert (not (<= (set.size (ite (set.subset a a) a (set.singleton n))) n 2)))
(check-sat)
