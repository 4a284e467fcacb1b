; a filter removes a tag: too short for a second tag
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(declare-fun t () String)
(assert (= t (str.replace s "<b>" "")))
(assert (str.contains t "<b>"))
(assert (= (str.len s) 5))
(check-sat)
