; xs := []
; repeat any number of times: xs := x :: xs for some x >= 0
; assert head(xs) > 0 if xs is not empty
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((IntList 0)) (((nil) (cons (head Int) (tail IntList)))))
(declare-fun built (IntList) Bool)
(assert (built nil))
(assert (forall ((xs IntList) (x Int)) (=> (and (built xs) (>= x 0)) (built (cons x xs)))))
(assert (forall ((xs IntList)) (=> (and (built xs) ((_ is cons) xs) (<= (head xs) 0)) false)))
(check-sat)
