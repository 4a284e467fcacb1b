; trees of any shape and their sizes;  nothing is asserted
(set-logic HORN)
(set-info :status sat)
(declare-fun tree (Int) Bool)
(assert (tree 0))
(assert (forall ((m Int) (n Int)) (=> (and (tree m) (tree n)) (tree (+ m n 1)))))
(check-sat)
