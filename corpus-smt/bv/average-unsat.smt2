; the average without overflow is between them
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 6))
(declare-fun y () (_ BitVec 6))
(assert (bvult x y))
(assert (let ((average (bvadd (bvand x y) (bvlshr (bvxor x y) #b000001))))
    (or (bvult average x) (bvugt average y))))
(check-sat)
