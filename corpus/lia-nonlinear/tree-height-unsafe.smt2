; a tree is empty, or a node with a left and a right tree
; height = 1 + max(height of left, height of right), size = 1 + both sizes
; assert height >= size
(set-logic HORN)
(set-info :status unsat)
(declare-fun tree (Int Int) Bool)
(assert (tree 0 0))
(assert (forall ((h1 Int) (s1 Int) (h2 Int) (s2 Int) (h Int) (s Int))
  (=> (and (tree h1 s1) (tree h2 s2) (= h (+ 1 (ite (> h1 h2) h1 h2))) (= s (+ 1 s1 s2)))
      (tree h s))))
(assert (forall ((h Int) (s Int)) (=> (and (tree h s) (not (>= h s))) false)))
(check-sat)
