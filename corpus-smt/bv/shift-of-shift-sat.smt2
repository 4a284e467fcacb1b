; two shifts by y and z are one by their sum, unless that wraps
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (distinct (bvshl (bvshl x y) z) (bvshl x (bvadd y z))))
(check-sat)
