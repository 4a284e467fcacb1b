; a signed comparison is the unsigned one with the highest bits flipped
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (xor (bvslt x y) (bvult (bvxor x #b000) (bvxor y #b100))))
(check-sat)
