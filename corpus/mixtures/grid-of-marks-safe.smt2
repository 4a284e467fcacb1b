; a grid without marks, as an array of rows of Boolean cells
; repeat any number of times: mark a cell (i, j) with i < j
; assert that (1, 0) has no mark
(set-logic HORN)
(set-info :status sat)
(declare-fun grid ((Array Int (Array Int Bool))) Bool)
(assert (grid ((as const (Array Int (Array Int Bool))) ((as const (Array Int Bool)) false))))
(assert (forall ((g (Array Int (Array Int Bool))) (i Int) (j Int))
  (=> (and (grid g) (< i j)) (grid (store g i (store (select g i) j true))))))
(assert (forall ((g (Array Int (Array Int Bool)))) (=> (and (grid g) (select (select g 1) 0)) false)))
(check-sat)
