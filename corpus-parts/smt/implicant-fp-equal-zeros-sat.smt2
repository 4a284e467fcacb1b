; A question about corpus-smt/fp/equal-zeros-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((x (_ -zero 11 53)) (y (_ +zero 11 53))))")
(declare-fun x () (_ FloatingPoint 11 53))
(declare-fun y () (_ FloatingPoint 11 53))
(assert (fp.eq x y))
(assert (distinct x y))
(check-sat)
