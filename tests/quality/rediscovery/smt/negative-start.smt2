; A part of a string from a negative position on is empty, whatever its length is; Z3 takes it for a part that is not.
(set-logic ALL)
(declare-fun s () String)
(declare-fun i () Int)
(assert (< i 0))
(assert (= (str.substr s i 1) s))
(check-sat)
