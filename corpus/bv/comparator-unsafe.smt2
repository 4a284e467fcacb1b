; e := the bit that says whether x = y, of three bits
; assert e = 1 just when every bit of x xnor y is 1
(set-logic HORN)
(set-info :status unsat)
(declare-fun compared ((_ BitVec 4) (_ BitVec 4) (_ BitVec 1)) Bool)
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4)))
  (compared x y (bvcomp ((_ extract 2 0) x) ((_ extract 2 0) y)))))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4)) (e (_ BitVec 1)))
  (=> (and (compared x y e) (distinct (= e #b1) (= (bvxnor x y) #xf))) false)))
(check-sat)
