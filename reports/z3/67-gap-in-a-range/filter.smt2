(assert (= (set.filter (lambda ((x Int)) (= (mod x 2) 1)) (set.range 1 3)) (set.range 1 3)))
(check-sat)
