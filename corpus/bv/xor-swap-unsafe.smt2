; a, b := x, y
; a := a ^ b; b := a ^ b; a := a bvor b
; assert a = y and b = x
(set-logic HORN)
(set-info :status unsat)
(declare-fun l0 ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
(declare-fun l1 ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
(declare-fun l2 ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (a (_ BitVec 8))) (=> (= a (bvxor x y)) (l0 x y a y))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (a (_ BitVec 8)) (b (_ BitVec 8)))
  (=> (l0 x y a b) (l1 x y a (bvxor a b)))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (a (_ BitVec 8)) (b (_ BitVec 8)) (c (_ BitVec 8)))
  (=> (and (l1 x y a b) (= c (bvor a b))) (l2 x y c b))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (a (_ BitVec 8)) (b (_ BitVec 8)))
  (=> (and (l2 x y a b) (or (distinct a y) (distinct b x))) false)))
(check-sat)
