; red -> green -> yellow -> red
; assert that after red comes yellow
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((Colour 0)) (((red) (green) (yellow))))
(declare-fun light (Colour Colour) Bool)
(assert (light yellow red))
(assert (forall ((before Colour) (now Colour))
  (=> (light before now) (light now (ite (= now red) green (ite (= now green) yellow red))))))
(assert (forall ((now Colour)) (=> (and (light red now) (not (= now yellow))) false)))
(check-sat)
