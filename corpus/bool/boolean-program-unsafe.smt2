; a procedure  flip(x): if * then return not x else return flip(flip(x))
; assert that flip(x) != x
(set-logic HORN)
(set-info :status unsat)
(declare-fun flip (Bool Bool) Bool)
(assert (forall ((x Bool)) (flip x (not x))))
(assert (forall ((x Bool) (y Bool) (z Bool)) (=> (and (flip x y) (flip y z)) (flip x z))))
(assert (forall ((x Bool) (y Bool)) (=> (and (flip x y) (= x y)) false)))
(check-sat)
