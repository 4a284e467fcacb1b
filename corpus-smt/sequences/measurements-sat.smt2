; measurements: the second is above the mean
(set-logic ALL)
(set-info :status sat)
(declare-fun m () (Seq Real))
(assert (= (seq.len m) 2))
(assert (= (+ (seq.nth m 0) (seq.nth m 1)) 3.0))
(assert (> (seq.nth m 1) 1.5))
(check-sat)
