; head, tail := 0, 0                      # count = head - tail
; put, when count bvult 4: head := head + 1;  take, when count != 0: tail := tail + 1
; assert count <= 4
(set-logic HORN)
(set-info :status sat)
(declare-fun ring ((_ BitVec 4) (_ BitVec 4)) Bool)
(assert (ring #x0 #x0))
(assert (forall ((head (_ BitVec 4)) (tail (_ BitVec 4)))
  (=> (and (ring head tail) (bvult (bvsub head tail) #x4)) (ring (bvadd head #x1) tail))))
(assert (forall ((head (_ BitVec 4)) (tail (_ BitVec 4)))
  (=> (and (ring head tail) (distinct head tail)) (ring head (bvadd tail #x1)))))
(assert (forall ((head (_ BitVec 4)) (tail (_ BitVec 4)))
  (=> (and (ring head tail) (bvugt (bvsub head tail) #x4)) false)))
(check-sat)
