; three nodes in a ring with numbers 1, 4 and 3, each sends its number to the next
; a node passes on a number above its own, and is the leader when its own comes back
; assert that only the node with number 3 leads
(set-logic HORN)
(set-info :status unsat)
(declare-fun message (Int Int) Bool)
(declare-fun leader (Int) Bool)
; (message n i): number n is on its way to node i
(assert (message 1 1))
(assert (message 4 2))
(assert (message 3 0))
(assert (forall ((n Int)) (=> (and (message n 0) (> n 1)) (message n 1))))
(assert (forall ((n Int)) (=> (and (message n 1) (> n 4)) (message n 2))))
(assert (forall ((n Int)) (=> (and (message n 2) (> n 3)) (message n 0))))
(assert (forall ((n Int) (node Int) (own Int))
  (=> (and (message n node) (= own (ite (= node 0) 1 (ite (= node 1) 4 3))) (= n own)) (leader n))))
(assert (forall ((n Int)) (=> (and (leader n) (not (= n 3))) false)))
(check-sat)
