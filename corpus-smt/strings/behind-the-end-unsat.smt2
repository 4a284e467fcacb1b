; a substring begins behind the end: it has a character
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(declare-fun i () Int)
(assert (>= i (str.len s)))
(assert (distinct (str.at s i) ""))
(check-sat)
