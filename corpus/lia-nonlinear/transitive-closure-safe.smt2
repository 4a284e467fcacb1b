; edge(n, n + 1) and edge(n, n + 3) for n >= 0
; path is the transitive closure of edge
; assert not path(5 5)
(set-logic HORN)
(set-info :status sat)
(declare-fun edge (Int Int) Bool)
(declare-fun path (Int Int) Bool)
(assert (forall ((n Int) (m Int)) (=> (and (>= n 0) (or (= m (+ n 1)) (= m (+ n 3)))) (edge n m))))
(assert (forall ((n Int) (m Int)) (=> (edge n m) (path n m))))
(assert (forall ((n Int) (m Int) (k Int)) (=> (and (path n m) (path m k)) (path n k))))
(assert (=> (path 5 5) false))
(check-sat)
