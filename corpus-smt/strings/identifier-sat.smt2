; a name begins with a letter and has letters and digits: a digit is the third character
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(assert (str.in_re s (re.++ (re.range "a" "z") (re.* (re.union (re.range "a" "z") (re.range "0" "9"))))))
(assert (str.is_digit (str.at s 2)))
(check-sat)
