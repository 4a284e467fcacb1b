; a name begins with a letter and has letters and digits: a digit is the first character
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(assert (str.in_re s (re.++ (re.range "a" "z") (re.* (re.union (re.range "a" "z") (re.range "0" "9"))))))
(assert (str.is_digit (str.at s 0)))
(check-sat)
