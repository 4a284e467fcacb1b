; point := (x: 0, y: 0)
; repeat any number of times: move right by 1, or up by 1 if y <= x
; assert y <= x
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((Point 0)) (((point (x Int) (y Int)))))
(declare-fun at (Point) Bool)
(assert (at (point 0 0)))
(assert (forall ((p Point)) (=> (at p) (at (point (+ (x p) 1) (y p))))))
(assert (forall ((p Point)) (=> (and (at p) (<= (y p) (x p))) (at (point (x p) (+ (y p) 1))))))
(assert (forall ((p Point)) (=> (and (at p) (> (y p) (x p))) false)))
(check-sat)
