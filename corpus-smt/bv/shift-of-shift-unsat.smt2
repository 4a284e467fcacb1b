; two shifts by y and z are one by their sum, unless that wraps, and it does not
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (distinct (bvshl (bvshl x y) z) (bvshl x (bvadd y z))))
(assert (bvule y (bvadd y z)))
(check-sat)
