; a matrix m and two rows r and s: m[r] := m[s] with 0 at 0
; assert m[r] = m[s]
(set-logic HORN)
(set-info :status unsat)
(declare-fun matrix ((Array Int (Array Int Int)) Int Int) Bool)
(declare-fun copied ((Array Int (Array Int Int)) Int Int) Bool)
(assert (forall ((m (Array Int (Array Int Int))) (r Int) (s Int)) (=> (distinct r s) (matrix m r s))))
(assert (forall ((m (Array Int (Array Int Int))) (n (Array Int (Array Int Int))) (r Int) (s Int))
  (=> (and (matrix m r s) (= n (store m r (store (select m s) 0 0)))) (copied n r s))))
(assert (forall ((m (Array Int (Array Int Int))) (r Int) (s Int))
  (=> (and (copied m r s) (distinct (select m r) (select m s))) false)))
(check-sat)
