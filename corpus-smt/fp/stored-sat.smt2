; a stored value is not equal to itself: it is NaN
(set-logic ALL)
(set-info :status sat)
(declare-fun a () (Array (_ BitVec 4) (_ FloatingPoint 8 24)))
(declare-fun i () (_ BitVec 4))
(declare-fun x () (_ FloatingPoint 8 24))
(assert (not (fp.eq x (select (store a i x) i))))
(check-sat)
