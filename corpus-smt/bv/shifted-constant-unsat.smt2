; a constant of 3 bits shifted by y is 100
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (= (bvshl #b101 y) (bvadd x x)))
(assert (= (bvshl x y) #b100))
(check-sat)
