; y := not x, bit by bit; z := y + 1
; assert z = -x
(set-logic HORN)
(set-info :status sat)
(declare-fun inverted ((_ BitVec 4) (_ BitVec 4)) Bool)
(declare-fun negated ((_ BitVec 4) (_ BitVec 4)) Bool)
(assert (forall ((x (_ BitVec 4))) (inverted x (bvnot x))))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (inverted x y) (negated x (bvadd y #x1)))))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (and (negated x y) (distinct y (bvneg x))) false)))
(check-sat)
