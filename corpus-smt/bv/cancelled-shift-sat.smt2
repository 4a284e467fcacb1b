; an odd word of 3 bits and its shift by #b001 cancel each other
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (= #b1 ((_ extract 0 0) x)))
(assert (= y #b001))
(assert (= #b000 (bvadd x (bvshl x y) (bvneg (bvmul x #b011)))))
(check-sat)
