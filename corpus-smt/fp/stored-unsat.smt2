; a stored value is the one that is read
(set-logic ALL)
(set-info :status unsat)
(declare-fun a () (Array (_ BitVec 4) (_ FloatingPoint 8 24)))
(declare-fun i () (_ BitVec 4))
(declare-fun x () (_ FloatingPoint 8 24))
(assert (distinct x (select (store a i x) i)))
(check-sat)
