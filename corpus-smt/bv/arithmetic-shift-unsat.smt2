; an arithmetic shift by #b00000 of a negative number of 5 bits is -1
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 5))
(assert (bvslt x #b00000))
(assert (distinct x #b11111))
(assert (= #b11111 (bvashr x #b00000)))
(check-sat)
