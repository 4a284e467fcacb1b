; take 1, 2 or 3 matches; who cannot take any has lost
; lost(n) if all moves win for the other; won(n) if some move leaves the other lost
; assert not lost(8)
(set-logic HORN)
(set-info :status unsat)
(declare-fun lost (Int) Bool)
(declare-fun won (Int) Bool)
(assert (lost 0))
(assert (forall ((n Int)) (=> (and (lost n) (>= n 0)) (won (+ n 1)))))
(assert (forall ((n Int)) (=> (and (lost n) (>= n 0)) (won (+ n 2)))))
(assert (forall ((n Int)) (=> (and (lost n) (>= n 0)) (won (+ n 3)))))
(assert (forall ((n Int)) (=> (and (won n) (won (+ n 1)) (won (+ n 2))) (lost (+ n 3)))))
(assert (=> (lost 8) false))
(check-sat)
