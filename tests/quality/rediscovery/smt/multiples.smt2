; z divides a, and y, which is 4 or z + 1, does not divide 5a.
; Z3 takes two divisors for one if its model gives them one value.
(set-logic ALL)
(declare-fun a () Int)
(declare-fun y () Int)
(declare-fun z () Int)
(assert (= (mod a z) 0))
(assert (distinct (mod (* 5 a) y) 0))
(assert (or (= y 4) (= y (+ z 1))))
(assert (and (< 1 z) (< z 9)))
(check-sat)
