; row := 0
; while row < 4:
;     column := 0
;     while column <= row:
;         assert column < 3
;         column := column + 1
;     row := row + 1
(set-logic HORN)
(set-info :status unsat)
(declare-fun rows (Int) Bool)
(declare-fun columns (Int Int) Bool)
(assert (rows 0))
(assert (forall ((row Int)) (=> (and (rows row) (< row 4)) (columns row 0))))
(assert (forall ((row Int) (column Int))
  (=> (and (columns row column) (<= column row)) (columns row (+ column 1)))))
(assert (forall ((row Int) (column Int)) (=> (and (columns row column) (> column row)) (rows (+ row 1)))))
(assert (forall ((row Int) (column Int))
  (=> (and (columns row column) (<= column row) (>= column 3)) false)))
(check-sat)
