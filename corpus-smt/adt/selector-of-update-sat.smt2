; a record with one changed field keeps not that one
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Box 0)) (((box (content Int) (full Bool)))))
(declare-fun b () Box)
(declare-fun c () Box)
(assert (= c (box (+ (content b) 1) (full b))))
(assert (distinct (content c) (content b)))
(check-sat)
