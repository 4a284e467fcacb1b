; The answer yes is marked, and the answer to whether a distance is its own opposite is not marked.
; Z3 does not see that the answer is yes, if the second distance is the absolute value of the first one.
(set-logic ALL)
(declare-fun marked () (Array Bool Bool))
(declare-fun n () Int)
(assert (select marked true))
(assert (not (select marked (= (abs n) (- (abs n))))))
(check-sat)
