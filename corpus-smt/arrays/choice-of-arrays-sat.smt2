; a read of a choice is the choice of the reads, of the same one only
(set-logic ALL)
(set-info :status sat)
(declare-fun a () (Array (_ BitVec 3) (_ BitVec 5)))
(declare-fun b () (Array (_ BitVec 3) (_ BitVec 5)))
(declare-fun p () Bool)
(declare-fun i () (_ BitVec 3))
(assert (distinct (select (ite p a b) i) (ite (not p) (select a i) (select b i))))
(check-sat)
