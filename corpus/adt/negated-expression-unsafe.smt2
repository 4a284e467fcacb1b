; expression, value := a literal, and its value
; repeat any number of times: negate the expression and the value, or the literal alone
; assert a literal has its own value
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((Exp 0)) (((literal (truth Bool)) (neg (of Exp)))))
(declare-fun built (Exp Bool) Bool)
(assert (forall ((b Bool)) (built (literal b) b)))
(assert (forall ((e Exp) (b Bool)) (=> (built e b) (built (neg e) (not b)))))
(assert (forall ((e Exp) (b Bool)) (=> (and (built e b) ((_ is literal) e)) (built (literal (not (truth e))) b))))
(assert (forall ((e Exp) (b Bool)) (=> (and (built e b) ((_ is literal) e) (distinct (truth e) b)) false)))
(check-sat)
