; a string is split at a position and joined: one part is a word
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(declare-fun i () Int)
(assert (<= 0 i (str.len s)))
(assert (= (str.substr s i (- (str.len s) i)) "tail"))
(check-sat)
