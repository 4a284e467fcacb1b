; A switch is on for true, and off for the answer to whether a distance is its own opposite.
; Z3 does not see that the answer is true, if the second distance is the absolute value of the first one.
(set-logic ALL)
(declare-fun on (Bool) Bool)
(declare-fun n () Int)
(assert (on true))
(assert (not (on (= (abs n) (- (abs n))))))
(check-sat)
