; a full binary tree is a leaf, or a node with two full binary trees; a node counts 2
; assert leaves = nodes + 1
(set-logic HORN)
(set-info :status unsat)
(declare-fun tree (Int Int) Bool)
(assert (tree 1 0))
(assert (forall ((l Int) (m Int) (n Int) (k Int) (leaves Int) (nodes Int))
  (=> (and (tree l m) (tree n k) (= leaves (+ l n)) (= nodes (+ m k 2))) (tree leaves nodes))))
(assert (forall ((leaves Int) (nodes Int))
  (=> (and (tree leaves nodes) (not (= leaves (+ nodes 1)))) false)))
(check-sat)
