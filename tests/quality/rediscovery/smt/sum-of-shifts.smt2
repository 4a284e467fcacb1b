; Two words of 3 bits, one of them all ones, are shifted left by one distance and add up to 0.
; Bitwuzla factors x << y out of a sum, and takes the wrong term for x where both terms are shifts.
(set-logic ALL)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (= #b000 (bvadd (bvshl x y) (bvshl #b111 y))))
(check-sat)
