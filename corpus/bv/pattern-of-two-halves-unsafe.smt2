; any number of times: x := x + 1, of two bits; y := x twice, and one more
; assert that both halves of y are equal
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop ((_ BitVec 2)) Bool)
(declare-fun pattern ((_ BitVec 4)) Bool)
(assert (loop #b00))
(assert (forall ((x (_ BitVec 2))) (=> (loop x) (loop (bvadd x #b01)))))
(assert (forall ((x (_ BitVec 2)) (y (_ BitVec 4)))
  (=> (and (loop x) (= y (bvadd ((_ repeat 2) x) #x1))) (pattern y))))
(assert (forall ((y (_ BitVec 4)))
  (=> (and (pattern y) (distinct ((_ extract 3 2) y) ((_ extract 1 0) y))) false)))
(check-sat)
