; assume a >= 0 and b > 0
; quotient, rest := 0, a
; while rest >= b:
;     quotient, rest := quotient + 1, rest - b
; assert 0 <= rest < b and quotient >= 0
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int Int) Bool)
(assert (forall ((a Int) (b Int)) (=> (and (>= a 0) (> b 0)) (loop b 0 a))))
(assert (forall ((b Int) (quotient Int) (rest Int))
  (=> (and (loop b quotient rest) (>= rest b)) (loop b (+ quotient 1) (- rest b)))))
(assert (forall ((b Int) (quotient Int) (rest Int))
  (=> (and (loop b quotient rest) (not (>= rest b)) (or (< rest 0) (>= rest b) (< quotient 0)))
      false)))
(check-sat)
