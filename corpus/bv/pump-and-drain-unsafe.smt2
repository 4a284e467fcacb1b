; x := y := 0 of three bits; any number of times: x := x + 1, y := y + 3
; then, as long as x > 0: x := x - 1, y := y - #b010
; assert y = 0
(set-logic HORN)
(set-info :status unsat)
(declare-fun pump ((_ BitVec 3) (_ BitVec 3)) Bool)
(declare-fun drain ((_ BitVec 3) (_ BitVec 3)) Bool)
(assert (pump #b000 #b000))
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3))) (=> (pump x y) (pump (bvadd x #b001) (bvadd y #b011)))))
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3))) (=> (pump x y) (drain x y))))
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3)))
  (=> (and (drain x y) (bvugt x #b000)) (drain (bvsub x #b001) (bvsub y #b010)))))
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3)))
  (=> (and (drain x y) (= x #b000) (not (= y #b000))) false)))
(check-sat)
