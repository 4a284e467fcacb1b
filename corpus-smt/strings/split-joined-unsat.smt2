; a string is split at a position and joined: the result differs
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(declare-fun i () Int)
(assert (<= 0 i (str.len s)))
(assert (distinct s (str.++ (str.substr s 0 i) (str.substr s i (- (str.len s) i)))))
(check-sat)
