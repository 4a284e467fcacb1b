; a sorted array of four has something greater than the first
(set-logic ALL)
(set-info :status sat)
(declare-fun a () (Array Int Int))
(assert (forall ((i Int) (j Int)) (=> (and (<= 0 i) (<= i j) (<= j 3)) (<= (select a i) (select a j)))))
(assert (> (select a 2) (select a 0)))
(check-sat)
