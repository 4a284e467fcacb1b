; a, b := 12, 8
; while b != 0: a, b := b, a % b
; assert a = #x4
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((_ BitVec 4) (_ BitVec 4)) Bool)
(assert (loop #xc #x8))
(assert (forall ((a (_ BitVec 4)) (b (_ BitVec 4)))
  (=> (and (loop a b) (distinct b #x0)) (loop b (bvurem a b)))))
(assert (forall ((a (_ BitVec 4))) (=> (and (loop a #x0) (distinct a #x4)) false)))
(check-sat)
