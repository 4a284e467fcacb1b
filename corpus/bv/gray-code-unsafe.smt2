; n := 0
; repeat any number of times: n := n + 1
; assert that gray(n) = n ^ (n >> 1) differs from gray(n - #x2) in one bit only
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop ((_ BitVec 4) (_ BitVec 4)) Bool)
(assert (loop #x0 (bvneg #x2)))
(assert (forall ((n (_ BitVec 4)) (m (_ BitVec 4))) (=> (loop n m) (loop (bvadd n #x1) (bvadd m #x1)))))
(assert (forall ((n (_ BitVec 4)) (m (_ BitVec 4)) (d (_ BitVec 4)))
  (=> (and (loop n m)
           (= d (bvxor (bvxor n (bvlshr n #x1)) (bvxor m (bvlshr m #x1))))
           (distinct (bvand d (bvsub d #x1)) #x0))
      false)))
(check-sat)
