; an array of pairs, all (0, 0)
; repeat any number of times: a[i] := (n, n) for some i and n
; assert that both numbers of a[0] are equal
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((Pair 0)) (((pair (first Int) (second Int)))))
(declare-fun pairs ((Array Int Pair)) Bool)
(assert (pairs ((as const (Array Int Pair)) (pair 0 0))))
(assert (forall ((a (Array Int Pair)) (i Int) (n Int)) (=> (pairs a) (pairs (store a i (pair n n))))))
(assert (forall ((a (Array Int Pair)))
  (=> (and (pairs a) (distinct (first (select a 0)) (second (select a 0)))) false)))
(check-sat)
