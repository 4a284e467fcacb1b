; a word is split by a mask and joined by or, xor and sum
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 11))
(declare-fun m () (_ BitVec 11))
(assert (let ((low (bvand x m)) (high (bvand x (bvnot m))))
    (or (distinct x (bvor low high)) (distinct x (bvxor low high)) (distinct x (bvadd low high)))))
(check-sat)
