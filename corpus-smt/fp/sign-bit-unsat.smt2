; bits without a sign are not a negative number
(set-logic ALL)
(set-info :status unsat)
(declare-fun b () (_ BitVec 32))
(assert (bvsge b #x00000000))
(assert (fp.isNegative ((_ to_fp 8 24) b)))
(check-sat)
