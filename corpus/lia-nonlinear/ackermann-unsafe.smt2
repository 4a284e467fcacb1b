; ack(0, n) = n + 1
; ack(m, 0) = ack(m - 1, 1)
; ack(m, n) = ack(m - 1, ack(m, n - 1))
; assert ack(m, n) = n + 1
(set-logic HORN)
(set-info :status unsat)
(declare-fun ack (Int Int Int) Bool)
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m 0) (>= n 0) (= r (+ n 1))) (ack m n r))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (> m 0) (= n 0) (ack (- m 1) 1 r)) (ack m n r))))
(assert (forall ((m Int) (n Int) (r Int) (s Int))
  (=> (and (> m 0) (> n 0) (ack m (- n 1) s) (ack (- m 1) s r)) (ack m n r))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (ack m n r) (not (= r (+ n 1)))) false)))
(check-sat)
