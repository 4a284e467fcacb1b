; a filter removes a tag: parts make a new tag
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(declare-fun t () String)
(assert (= t (str.replace s "<b>" "")))
(assert (str.contains t "<b>"))
(assert (= (str.len s) 6))
(check-sat)
