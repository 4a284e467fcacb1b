; a timed automaton with clocks x and y: time passes while x <= 2; at x >= 1 x is reset
; y is reset every second time; assert y <= 4
(set-logic HORN)
(set-info :status sat)
(declare-fun automaton (Real Real Int) Bool)
(assert (automaton 0.0 0.0 0))
(assert (forall ((x Real) (y Real) (d Real) (rounds Int))
  (=> (and (automaton x y rounds) (>= d 0.0) (<= (+ x d) 2.0)) (automaton (+ x d) (+ y d) rounds))))
(assert (forall ((x Real) (y Real) (rounds Int))
  (=> (and (automaton x y rounds) (>= x 1.0) (< rounds 1)) (automaton 0.0 y (+ rounds 1)))))
(assert (forall ((x Real) (y Real) (rounds Int))
  (=> (and (automaton x y rounds) (>= x 1.0) (>= rounds 1)) (automaton 0.0 0.0 0))))
(assert (forall ((x Real) (y Real) (rounds Int)) (=> (and (automaton x y rounds) (> y 4.0)) false)))
(check-sat)
