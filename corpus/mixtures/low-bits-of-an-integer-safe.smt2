; integer n := 0
; repeat any number of times: n := n + 4
; assert n, as four bits, ends with 00
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int) Bool)
(declare-fun bits ((_ BitVec 4)) Bool)
(assert (loop 0))
(assert (forall ((n Int)) (=> (loop n) (loop (+ n 4)))))
(assert (forall ((n Int)) (=> (loop n) (bits ((_ int2bv 4) n)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (bits x) (distinct ((_ extract 1 0) x) #b00)) false)))
(check-sat)
