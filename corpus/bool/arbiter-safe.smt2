; two clients ask; the arbiter grants one, the one that was not granted last if both ask
; a grant takes back the other
; assert that both are never granted at once
(set-logic HORN)
(set-info :status sat)
(declare-fun arbiter (Bool Bool Bool) Bool)
(assert (arbiter false false false))
(assert (forall ((g Bool) (h Bool) (last Bool) (r Bool) (s Bool))
  (=> (and (arbiter g h last) r (or (not s) last)) (arbiter true false false))))
(assert (forall ((g Bool) (h Bool) (last Bool) (r Bool) (s Bool))
  (=> (and (arbiter g h last) s (or (not r) (not last))) (arbiter false true true))))
(assert (forall ((g Bool) (h Bool) (last Bool) (r Bool) (s Bool))
  (=> (and (arbiter g h last) (not r) (not s)) (arbiter false false last))))
(assert (forall ((g Bool) (h Bool) (last Bool)) (=> (and (arbiter g h last) (and g h)) false)))
(check-sat)
