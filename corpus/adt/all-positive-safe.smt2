; xs := []
; repeat any number of times: xs := x :: xs for some x > 0
; assert head(xs) > 0 if xs is not empty
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun built (List) Bool)
(assert (built nil))
(assert (forall ((xs List) (x Int)) (=> (and (built xs) (> x 0)) (built (cons x xs)))))
(assert (forall ((xs List)) (=> (and (built xs) ((_ is cons) xs) (<= (head xs) 0)) false)))
(check-sat)
