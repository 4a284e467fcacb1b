; used, n := no colour, 0
; repeat any number of times: use another colour; n := n + 1
; assert if red is used, n is at least 1, and if no colour is used, n is 0
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-fun use ((Array Colour Bool) Int) Bool)
(assert (use ((as const (Array Colour Bool)) false) 0))
(assert (forall ((u (Array Colour Bool)) (c Colour) (n Int))
    (=> (and (use u n) (not (select u c))) (use (store u c true) (+ n 1)))))
(assert (forall ((u (Array Colour Bool)) (n Int)) (=> (and (use u n) (select u red) (< n 1)) false)))
(assert (forall ((u (Array Colour Bool)) (n Int))
    (=> (and (use u n) (not (select u red)) (not (select u green)) (not (select u blue)) (not (= n 0))) false)))
(check-sat)
