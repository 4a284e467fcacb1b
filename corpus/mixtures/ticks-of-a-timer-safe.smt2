; real time := 0, integer ticks := 0
; repeat any number of times: time := time + d for some d of 0 to 0.5; if time >= ticks + 1: ticks := ticks + 1
; assert ticks <= time < ticks + 1
(set-logic HORN)
(set-info :status sat)
(declare-fun timer (Real Int) Bool)
(assert (timer 0.0 0))
(assert (forall ((t Real) (u Real) (d Real) (k Int))
  (=> (and (timer t k) (<= 0.0 d) (<= d 0.5) (= u (+ t d)))
      (timer u (ite (>= u (+ (to_real k) 1.0)) (+ k 1) k)))))
(assert (forall ((t Real) (k Int))
  (=> (and (timer t k) (not (and (<= (to_real k) t) (< t (+ (to_real k) 1.0))))) false)))
(check-sat)
