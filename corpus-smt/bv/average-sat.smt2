; the average without overflow is not always above the first
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 6))
(declare-fun y () (_ BitVec 6))
(assert (bvult x y))
(assert (let ((average (bvadd (bvand x y) (bvlshr (bvxor x y) #b000001))))
    (or (bvult average x) (bvult average y))))
(check-sat)
