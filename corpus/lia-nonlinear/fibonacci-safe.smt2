; fib(n) = 1                          if n <= 1
;        = fib(n - 1) + fib(n - 2)    otherwise
; assert fib(n) >= n
(set-logic HORN)
(set-info :status sat)
(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (<= n 1) (fib n 1))))
(assert (forall ((n Int) (r Int) (a Int) (b Int))
  (=> (and (> n 1) (fib (- n 1) a) (fib (- n 2) b) (= r (+ a b))) (fib n r))))
(assert (forall ((n Int) (r Int)) (=> (and (fib n r) (not (>= r n))) false)))
(check-sat)
