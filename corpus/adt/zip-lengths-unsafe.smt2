; two lists grow together, or so it was meant
; assert that one is empty just when the other is
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun pair (List List) Bool)
(assert (pair nil nil))
(assert (forall ((xs List) (ys List) (x Int))
  (=> (pair xs ys) (pair (cons x xs) (ite (> x 0) (cons x ys) ys)))))
(assert (forall ((xs List) (ys List))
  (=> (and (pair xs ys) (distinct ((_ is nil) xs) ((_ is nil) ys))) false)))
(check-sat)
