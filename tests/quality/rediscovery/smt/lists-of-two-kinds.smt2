; Lists whose cells alternate between two types: three of them that follow each other.
; cvc5 does not look for a cycle through both types.
(set-logic ALL)
(declare-datatypes ((Odd 0) (Even 0))
  (((odd (value Int) (even-rest Even))) ((end) (even (number Int) (odd-rest Odd)))))
(declare-fun x () Odd)
(declare-fun y () Even)
(declare-fun z () Even)
(assert (= x (odd-rest y)))
(assert (= z (even-rest x)))
(assert (distinct end y z))
(check-sat)
