(assert (not (= (set.size (set.union (set.singleton 2) (set.union (set.singleton 1) (set.union (set.singleton 1) (set.singleton 2))))) 2)))
(check-sat)
