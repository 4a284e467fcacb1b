; a matrix m and two rows r and s: m[r] := m[s]
; assert m[r] = m[s]
(set-logic HORN)
(set-info :status sat)
(declare-fun matrix ((Array Int (Array Int Int)) Int Int) Bool)
(declare-fun copied ((Array Int (Array Int Int)) Int Int) Bool)
(assert (forall ((m (Array Int (Array Int Int))) (r Int) (s Int)) (=> (distinct r s) (matrix m r s))))
(assert (forall ((m (Array Int (Array Int Int))) (n (Array Int (Array Int Int))) (r Int) (s Int))
  (=> (and (matrix m r s) (= n (store m r (select m s)))) (copied n r s))))
(assert (forall ((m (Array Int (Array Int Int))) (r Int) (s Int))
  (=> (and (copied m r s) (distinct (select m r) (select m s))) false)))
(check-sat)
