; bits with a sign are not a negative number: they are NaN
(set-logic ALL)
(set-info :status sat)
(declare-fun b () (_ BitVec 32))
(assert (bvslt b #x00000000))
(assert (not (fp.isNegative ((_ to_fp 8 24) b))))
(check-sat)
