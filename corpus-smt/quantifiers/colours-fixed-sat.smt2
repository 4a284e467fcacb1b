; a function of colours that is injective, without a fixed point, and thrice the identity somewhere
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-fun f (Colour) Colour)
(assert (forall ((x Colour) (y Colour)) (=> (= (f x) (f y)) (= x y))))
(assert (forall ((x Colour)) (distinct (f x) x)))
(assert (exists ((x Colour)) (= (f (f (f x))) x)))
(check-sat)
