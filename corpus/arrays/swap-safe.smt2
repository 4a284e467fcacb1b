; t := a[i]; a[i] := a[j]; a[j] := t
; assert that a[i] and a[j] have changed places
(set-logic HORN)
(set-info :status sat)
(declare-fun before ((Array Int Int) Int Int Int Int) Bool)
(declare-fun after ((Array Int Int) Int Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (x Int) (y Int))
  (=> (and (= x (select a i)) (= y (select a j))) (before a i j x y))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (j Int) (t Int) (x Int) (y Int))
  (=> (and (before a i j x y) (= t (select a i)) (= b (store a i (select a j))) (= c (store b j t)))
      (after c i j x y))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (x Int) (y Int))
  (=> (and (after a i j x y) (not (and (= (select a i) y) (= (select a j) x)))) false)))
(check-sat)
