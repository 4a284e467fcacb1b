; the formula of Alt-Ergo's issue 474, found by Alt-Ergo-Fuzz, as Alt-Ergo's test 474.ae states it: the function is `ac`
; there, and Alt-Ergo proved the goal `false`
(set-logic ALL)
(set-info :status sat)
(declare-fun f (Real Real) Real)
(define-fun id_2 () Real 2.0)
(define-fun f_2_1 () Real (f 2.0 1.0))
(assert (forall ((x Real) (y Real)) (= (f x y) (f y x))))
(assert (forall ((x Real) (y Real) (z Real)) (= (f (f x y) z) (f x (f y z)))))
(assert (<= (f (f id_2 1.0) 0.0) 0.0))
(assert (<= f_2_1 0.0))
(check-sat)
