; a machine pushes 1, duplicates the top, or adds the two topmost numbers of its stack
; assert that the top is never 2
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun machine (List) Bool)
(assert (machine nil))
(assert (forall ((s List)) (=> (machine s) (machine (cons 1 s)))))
(assert (forall ((s List) (x Int)) (=> (machine (cons x s)) (machine (cons x (cons x s))))))
(assert (forall ((s List) (x Int) (y Int)) (=> (machine (cons x (cons y s))) (machine (cons (+ x y) s)))))
(assert (forall ((s List)) (=> (and (machine s) (distinct s nil) (= (head s) 2) (= (tail s) nil)) false)))
(check-sat)
