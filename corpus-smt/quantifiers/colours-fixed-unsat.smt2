; a function of colours that is injective, without a fixed point, and twice the identity somewhere
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-fun f (Colour) Colour)
(assert (forall ((x Colour) (y Colour)) (=> (= (f x) (f y)) (= x y))))
(assert (forall ((x Colour)) (distinct (f x) x)))
(assert (exists ((x Colour)) (= (f (f x)) x)))
(check-sat)
