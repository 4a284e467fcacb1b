; a permutation of two that is its own inverse always
(set-logic ALL)
(set-info :status unsat)
(declare-fun p () (Array (_ BitVec 1) (_ BitVec 1)))
(declare-fun x () (_ BitVec 1))
(assert (distinct (select p #b0) (select p #b1)))
(assert (distinct (select p (select p x)) x))
(check-sat)
