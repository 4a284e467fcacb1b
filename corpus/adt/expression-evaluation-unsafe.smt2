; E -> literal | add(E, E) | double(E), literals are at least 0
; assert eval(E) >= 1
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((Exp 0)) (((literal (number Int)) (add (first Exp) (second Exp)) (double (only Exp)))))
(declare-fun eval (Exp Int) Bool)
(assert (forall ((a Int)) (=> (>= a 0) (eval (literal a) a))))
(assert (forall ((e Exp) (f Exp) (a Int) (b Int)) (=> (and (eval e a) (eval f b)) (eval (add e f) (+ a b)))))
(assert (forall ((e Exp) (a Int)) (=> (eval e a) (eval (double e) (* 2 a)))))
(assert (forall ((e Exp) (a Int)) (=> (and (eval e a) (< a 1)) false)))
(check-sat)
