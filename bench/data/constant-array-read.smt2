; p holds of constant arrays and their element. No read gives the element plus one. The newest release answers rightly;
; where the read is a comparison with a constant array, it answers wrongly (bug 9 of docs/z3-5.4.0.md).
(set-logic HORN)
(set-info :status sat)
(declare-fun p (Bool Int (Array Int Int)) Bool)
(assert (forall ((x Int))
    (p false x ((as const (Array Int Int)) x))))
(assert (forall ((n Bool) (x Int) (a (Array Int Int)))
    (=> (p n x a) (p true x a))))
(assert (forall ((x Int) (a (Array Int Int)))
    (=> (and (p true x a) (= (select a 0) (+ x 1)))
        false)))
(check-sat)
