; depth, high := 0, 0                     # high: the deepest so far
; repeat for ever, one of:
;     push: depth := depth + 1; high := max(high, depth)
;     when depth > 0, pop: depth := depth - 1
; assert 0 <= depth <= high
(set-logic HORN)
(set-info :status sat)
(declare-fun stack (Int Int) Bool)
(assert (stack 0 0))
(assert (forall ((depth Int) (high Int) (deeper Int))
  (=> (and (stack depth high) (= deeper (+ depth 1)))
      (stack deeper (ite (> deeper high) deeper high)))))
(assert (forall ((depth Int) (high Int)) (=> (and (stack depth high) (> depth 0)) (stack (- depth 1) high))))
(assert (forall ((depth Int) (high Int))
  (=> (and (stack depth high) (or (< depth 0) (> depth high))) false)))
(check-sat)
