; a machine pushes 0, duplicates the top, adds 1 to it or doubles it
; assert that the top is at least 1
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((IntList 0)) (((nil) (cons (head Int) (tail IntList)))))
(declare-fun machine (IntList) Bool)
(assert (machine (cons 1 nil)))
(assert (forall ((s IntList)) (=> (machine s) (machine (cons 0 s)))))
(assert (forall ((s IntList) (x Int)) (=> (machine (cons x s)) (machine (cons x (cons x s))))))
(assert (forall ((s IntList) (x Int)) (=> (machine (cons x s)) (machine (cons (+ x 1) s)))))
(assert (forall ((s IntList) (x Int)) (=> (machine (cons x s)) (machine (cons (* 2 x) s)))))
(assert (forall ((s IntList) (x Int)) (=> (and (machine (cons x s)) (< x 1)) false)))
(check-sat)
