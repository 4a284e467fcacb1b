(set-logic HORN)
(assert (=> (bvuge ((_ rotate_left 1) #b001) #b010) false))
(check-sat)
