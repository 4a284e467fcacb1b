; int4 i := 3
; while i > -2, compared as signed numbers: i := i - 1
; assert i = -2
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((_ BitVec 4)) Bool)
(assert (loop #x3))
(assert (forall ((i (_ BitVec 4))) (=> (and (loop i) (bvsgt i #xe)) (loop (bvsub i #x1)))))
(assert (forall ((i (_ BitVec 4))) (=> (and (loop i) (bvsle i #xe) (distinct i #xe)) false)))
(check-sat)
