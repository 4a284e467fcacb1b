(declare-fun g (Int) (FiniteSet Int))
(assert (= (set.size (g 1)) 2))
(check-sat)
(get-model)
