; a leading dot is removed: two dots were there
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(declare-fun t () String)
(assert (= t (ite (str.prefixof "." s) (str.substr s 1 (- (str.len s) 1)) s)))
(assert (str.prefixof "." t))
(check-sat)
