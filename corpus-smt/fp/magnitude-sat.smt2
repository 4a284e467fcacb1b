; the magnitude of NaN is not at least zero
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ FloatingPoint 8 24))
(assert (not (fp.geq (fp.abs x) (_ +zero 8 24))))
(check-sat)
