; on one bit, sum is xor, product is and, difference is not or
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 1))
(declare-fun y () (_ BitVec 1))
(assert (or (distinct (bvadd x y) (bvxor x y))
    (distinct (bvmul x y) (bvand x y))
    (distinct (bvsub x y) (bvor x y))))
(check-sat)
