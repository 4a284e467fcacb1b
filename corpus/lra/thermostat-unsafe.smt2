; temperature := 20.0
; heating on:  temperature rises by up to 0.5 a tick, off at 22
; heating off: temperature falls by up to 0.5 a tick, on at 16.0
; assert 17 <= temperature <= 23
(set-logic HORN)
(set-info :status unsat)
(declare-fun on (Real) Bool)
(declare-fun off (Real) Bool)
(assert (off 20.0))
(assert (forall ((t Real) (d Real)) (=> (and (on t) (< t 22.0) (<= 0.0 d) (<= d 0.5)) (on (+ t d)))))
(assert (forall ((t Real)) (=> (and (on t) (>= t 22.0)) (off t))))
(assert (forall ((t Real) (d Real)) (=> (and (off t) (> t 16.0) (<= 0.0 d) (<= d 0.5)) (off (- t d)))))
(assert (forall ((t Real)) (=> (and (off t) (<= t 16.0)) (on t))))
(assert (forall ((t Real)) (=> (and (on t) (not (and (<= 17.0 t) (<= t 23.0)))) false)))
(assert (forall ((t Real)) (=> (and (off t) (not (and (<= 17.0 t) (<= t 23.0)))) false)))
(check-sat)
