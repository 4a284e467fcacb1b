; two lists grow together, or so it was meant
; assert that one is empty just when the other is
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((IntList 0)) (((nil) (cons (head Int) (tail IntList)))))
(declare-fun pair (IntList IntList) Bool)
(assert (pair nil nil))
(assert (forall ((xs IntList) (ys IntList) (x Int))
  (=> (pair xs ys) (pair (cons x xs) (ite (> x 0) (cons x ys) ys)))))
(assert (forall ((xs IntList) (ys IntList))
  (=> (and (pair xs ys) (distinct ((_ is nil) xs) ((_ is nil) ys))) false)))
(check-sat)
