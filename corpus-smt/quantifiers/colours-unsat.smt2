; a function of colours that is injective and not onto
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-fun f (Colour) Colour)
(assert (forall ((x Colour) (y Colour)) (=> (= (f x) (f y)) (= x y))))
(assert (exists ((x Colour)) (forall ((y Colour)) (distinct (f y) x))))
(check-sat)
