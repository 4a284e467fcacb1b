; A range of characters is the same language as itself, and differs from the empty one; Z3 takes both for equal.
(set-logic ALL)
(assert (= (re.range "a" "c") (re.range "a" "c")))
(check-sat)
