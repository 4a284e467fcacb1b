; a bucket of tokens, filled at 2 a second up to 3.0; whoever sends takes one away
; assert that less than 1 second after it was full no more than 5 have been sent
(set-logic HORN)
(set-info :status sat)
(declare-fun bucket (Real Real Real) Bool)
(assert (bucket 3.0 0.0 0.0))
(assert (forall ((tokens Real) (sent Real) (time Real) (d Real) (more Real))
  (=> (and (bucket tokens sent time) (< 0.0 d) (= more (+ tokens (* 2.0 d))))
      (bucket (ite (< more 3.0) more 3.0) sent (+ time d)))))
(assert (forall ((tokens Real) (sent Real) (time Real))
  (=> (and (bucket tokens sent time) (>= tokens 1.0)) (bucket (- tokens 1.0) (+ sent 1.0) time))))
(assert (forall ((tokens Real) (sent Real) (time Real))
  (=> (and (bucket tokens sent time) (< time 1.0) (> sent 5.0)) false)))
(check-sat)
