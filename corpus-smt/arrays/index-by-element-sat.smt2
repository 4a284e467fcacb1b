; a permutation of two that is its own inverse, and moves a value
(set-logic ALL)
(set-info :status sat)
(declare-fun p () (Array (_ BitVec 1) (_ BitVec 1)))
(declare-fun x () (_ BitVec 1))
(assert (distinct (select p #b0) (select p #b1)))
(assert (distinct (select p (select p x)) (select p x)))
(check-sat)
