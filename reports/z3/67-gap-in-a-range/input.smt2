(assert (set.subset (set.range 1 3) (set.union (set.singleton 1) (set.singleton 3))))
(check-sat)
