; length([]) = 0;  length(x :: xs) = length(xs) + 1
; assert length(xs) = 0
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun length (List Int) Bool)
(assert (length nil 0))
(assert (forall ((xs List) (x Int) (n Int)) (=> (length xs n) (length (cons x xs) (+ n 1)))))
(assert (forall ((xs List) (n Int)) (=> (and (length xs n) (not (= n 0))) false)))
(check-sat)
