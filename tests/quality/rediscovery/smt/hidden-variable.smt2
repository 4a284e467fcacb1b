; A quantified formula in which an inner b hides the outer one.
; cvc5 replaces c by b, and the inner quantifier captures it.
(set-logic ALL)
(assert (forall ((a Bool) (b Bool))
  (exists ((c Bool)) (=> a (and (= c b) (forall ((b Bool)) (= c (and a a))))))))
(check-sat)
