; shifting 3 bits left by y and back by y by less than 1 keeps x
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (bvult y #b001))
(assert (distinct x (bvlshr (bvshl x y) y)))
(assert (= #b1 ((_ extract 2 2) x)))
(check-sat)
