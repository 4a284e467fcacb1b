; a leading dot is removed: there was one dot at most
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(declare-fun t () String)
(assert (= t (ite (str.prefixof "." s) (str.substr s 1 (- (str.len s) 1)) s)))
(assert (str.prefixof "." t))
(assert (not (str.prefixof ".." s)))
(check-sat)
