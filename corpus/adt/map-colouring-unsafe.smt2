; four countries are coloured one after another with three colours
; assert that it fails; each borders on all others, only the last two do not meet
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((Colour 0)) (((red) (green) (yellow))))
(declare-fun two (Colour Colour) Bool)
(declare-fun three (Colour Colour Colour) Bool)
(declare-fun four (Colour Colour Colour Colour) Bool)
(assert (forall ((a Colour) (b Colour)) (=> (distinct a b) (two a b))))
(assert (forall ((a Colour) (b Colour) (c Colour)) (=> (and (two a b) (distinct a b c)) (three a b c))))
(assert (forall ((a Colour) (b Colour) (c Colour) (d Colour))
  (=> (and (three a b c) (distinct a d) (distinct b d)) (four a b c d))))
(assert (forall ((a Colour) (b Colour) (c Colour) (d Colour)) (=> (four a b c d) false)))
(check-sat)
