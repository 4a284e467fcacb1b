; A drawn question to push: floats.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((f (fp #b1 #b000 #b001)) (g (fp #b1 #b000 #b001)) (m RTZ) (x #b0111111)))")
(declare-fun f () (_ FloatingPoint 3 4))
(declare-fun g () (_ FloatingPoint 3 4))
(declare-fun m () RoundingMode)
(declare-fun x () (_ BitVec 7))
(assert (not (= (fp.abs (_ NaN 3 4)) (_ -oo 3 4))))
(check-sat)
