; a 4 bit register, from 1: the new lowest bit is the exclusive or of bits 3 and 2
; assert that it never becomes #xd
(set-logic HORN)
(set-info :status unsat)
(declare-fun register ((_ BitVec 4)) Bool)
(assert (register #x1))
(assert (forall ((x (_ BitVec 4)) (bit (_ BitVec 1)))
  (=> (and (register x) (= bit (bvxor ((_ extract 3 3) x) ((_ extract 2 2) x))))
      (register (concat ((_ extract 2 0) x) bit)))))
(assert (=> (register #xd) false))
(check-sat)
