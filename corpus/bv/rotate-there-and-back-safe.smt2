; x := 0b0001
; any number of times: rotate x to the left by 1; then rotate x to the right by 1, as often, and no more
; assert x = 0b0001
(set-logic HORN)
(set-info :status sat)
(declare-fun there ((_ BitVec 4) (_ BitVec 2)) Bool)
(declare-fun back ((_ BitVec 4) (_ BitVec 2)) Bool)
(assert (there #b0001 #b00))
(assert (forall ((x (_ BitVec 4)) (n (_ BitVec 2)))
  (=> (there x n) (there ((_ rotate_left 1) x) (bvadd n #b01)))))
(assert (forall ((x (_ BitVec 4)) (n (_ BitVec 2))) (=> (there x n) (back x n))))
(assert (forall ((x (_ BitVec 4)) (n (_ BitVec 2)))
  (=> (and (back x n) (bvugt n #b00)) (back ((_ rotate_right 1) x) (bvsub n #b01)))))
(assert (forall ((x (_ BitVec 4)) (n (_ BitVec 2)))
  (=> (and (back x n) (= n #b00) (distinct x #b0001)) false)))
(check-sat)
