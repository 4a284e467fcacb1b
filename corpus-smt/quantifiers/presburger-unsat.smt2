; each sum of 3s and 5s above 7 can be had
(set-logic ALL)
(set-info :status unsat)
(assert (not (forall ((n Int))
      (=> (<= 8 n 12)
        (exists ((a Int) (b Int)) (and (<= 0 a 4) (<= 0 b 4) (= n (+ (* 3 a) (* 5 b)))))))))
(check-sat)
