; a lamp with a switch: off -> dim -> bright -> off, each clause in another shape; the switch counts
; assert that it is bright only after 2 modulo 3 switches
(set-logic HORN)
(set-info :status sat)
(declare-fun off (Int) Bool)
(declare-fun dim (Int) Bool)
(declare-fun bright (Int) Bool)
(assert (off 0))
(assert (forall ((n Int)) (or (not (off n)) (not (< n 6)) (dim (+ n 1)))))
(assert (forall ((n Int)) (not (and (dim n) (< n 6) (not (bright (+ n 1)))))))
(assert (forall ((n Int)) (not (and (bright n) (< n 6) (not (off (+ n 1)))))))
(assert (forall ((n Int)) (or false (not (and (off n) (distinct (mod n 3) 0))))))
(assert (forall ((n Int)) (=> (bright n) (=> (distinct (mod n 3) 2) false))))
(check-sat)
