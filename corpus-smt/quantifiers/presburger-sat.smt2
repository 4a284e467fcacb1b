; each sum of 3s and 6s above 7 can be had
(set-logic ALL)
(set-info :status sat)
(assert (not (forall ((n Int))
      (=> (<= 8 n 12)
        (exists ((a Int) (b Int)) (and (<= 0 a 4) (<= 0 b 4) (= n (+ (* 3 a) (* 6 b)))))))))
(check-sat)
