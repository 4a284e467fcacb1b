; A point right of the center of the unit circle, at which y = -x(x + y).
; Z3 loses assumptions when it solves a nonlinear problem a second time, after a check of its own.
(set-logic ALL)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (> x 0.0))
(assert (= (- y) (* x (+ x y))))
(assert (= (+ (* x x) (* y y)) 1.0))
(check-sat)
