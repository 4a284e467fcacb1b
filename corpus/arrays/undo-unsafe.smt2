; old := a[i]; a[i] := x
; a[(+ i 1)] := old
; assert that a is as it was
(set-logic HORN)
(set-info :status unsat)
(declare-fun changed ((Array Int Int) (Array Int Int) Int Int) Bool)
(declare-fun restored ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (x Int) (old Int))
  (=> (and (= old (select a i)) (= b (store a i x))) (changed a b i old))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (old Int))
  (=> (and (changed a b i old) (= c (store b (+ i 1) old))) (restored a c))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (restored a b) (not (= a b))) false)))
(check-sat)
