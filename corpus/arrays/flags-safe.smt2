; flag[0] is set; each turn sets the next one to flag[i] or flag[j], or to what any flag[j] implies,
; for any j
; assert that the last one is set
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((Array Int Bool) Int) Bool)
(assert (forall ((f (Array Int Bool))) (=> (select f 0) (loop f 0))))
(assert (forall ((f (Array Int Bool)) (g (Array Int Bool)) (i Int) (j Int))
  (=> (and (loop f i) (= g (store f (+ i 1) (or (select f i) (select f j))))) (loop g (+ i 1)))))
(assert (forall ((f (Array Int Bool)) (g (Array Int Bool)) (i Int) (j Int) (p Bool))
  (=> (and (loop f i) (= g (store f (+ i 1) (=> (select f j) (ite p (select f i) true)))))
      (loop g (+ i 1)))))
(assert (forall ((f (Array Int Bool)) (i Int)) (=> (and (loop f i) (not (select f i))) false)))
(check-sat)
