; length([]) = 0;  length(x :: xs) = length(xs) + 1
; assert length(xs) >= 0
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((IntList 0)) (((nil) (cons (head Int) (tail IntList)))))
(declare-fun length (IntList Int) Bool)
(assert (length nil 0))
(assert (forall ((xs IntList) (x Int) (n Int)) (=> (length xs n) (length (cons x xs) (+ n 1)))))
(assert (forall ((xs IntList) (n Int)) (=> (and (length xs n) (not (>= n 0))) false)))
(check-sat)
