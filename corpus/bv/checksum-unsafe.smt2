; sum := 0
; for two groups of three bits b: sum := rotate(sum, 1) ^ b, where b is at most #b010
; assert sum < 4
(set-logic HORN)
(set-info :status unsat)
(declare-fun sum ((_ BitVec 2) (_ BitVec 3)) Bool)
(assert (sum #b00 #b000))
(assert (forall ((i (_ BitVec 2)) (s (_ BitVec 3)) (b (_ BitVec 3)))
  (=> (and (sum i s) (bvult i #b10) (bvule b #b010))
      (sum (bvadd i #b01) (bvxor ((_ rotate_left 1) s) b)))))
(assert (forall ((i (_ BitVec 2)) (s (_ BitVec 3))) (=> (and (sum i s) (bvuge s #b100)) false)))
(check-sat)
