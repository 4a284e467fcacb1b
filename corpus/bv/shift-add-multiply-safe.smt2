; product := 0
; while b != 0:
;     if b & 1 = 1: product := product + a
;     a, b := a << 1, b >> 1
; assert, for a = 3 and b = 5, product = #xf
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((_ BitVec 4) (_ BitVec 4) (_ BitVec 4)) Bool)
(assert (loop #x3 #x5 #x0))
(assert (forall ((a (_ BitVec 4)) (b (_ BitVec 4)) (p (_ BitVec 4)))
  (=> (and (loop a b p) (distinct b #x0) (= ((_ extract 0 0) b) #b1))
      (loop (bvshl a #x1) (bvlshr b #x1) (bvadd p a)))))
(assert (forall ((a (_ BitVec 4)) (b (_ BitVec 4)) (p (_ BitVec 4)))
  (=> (and (loop a b p) (distinct b #x0) (= ((_ extract 0 0) b) #b0))
      (loop (bvshl a #x1) (bvlshr b #x1) p))))
(assert (forall ((a (_ BitVec 4)) (b (_ BitVec 4)) (p (_ BitVec 4)))
  (=> (and (loop a b p) (= b #x0) (distinct p #xf)) false)))
(check-sat)
