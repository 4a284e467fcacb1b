; small, large := 0, 0                    # jugs that hold 3 and 6 litres
; repeat for ever, one of:
;     fill a jug; empty a jug; pour one into the other
; assert large != 4
(set-logic HORN)
(set-info :status sat)
(declare-fun jugs (Int Int) Bool)
(assert (jugs 0 0))
; fill
(assert (forall ((small Int) (large Int)) (=> (jugs small large) (jugs 3 large))))
(assert (forall ((small Int) (large Int)) (=> (jugs small large) (jugs small 6))))
; empty
(assert (forall ((small Int) (large Int)) (=> (jugs small large) (jugs 0 large))))
(assert (forall ((small Int) (large Int)) (=> (jugs small large) (jugs small 0))))
; pour
(assert (forall ((small Int) (large Int) (poured Int))
  (=> (and (jugs small large) (= poured (ite (<= small (- 6 large)) small (- 6 large))))
      (jugs (- small poured) (+ large poured)))))
(assert (forall ((small Int) (large Int) (poured Int))
  (=> (and (jugs small large) (= poured (ite (<= large (- 3 small)) large (- 3 small))))
      (jugs (+ small poured) (- large poured)))))
(assert (forall ((small Int) (large Int)) (=> (and (jugs small large) (= large 4)) false)))
(check-sat)
