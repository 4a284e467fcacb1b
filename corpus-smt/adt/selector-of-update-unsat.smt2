; a record with one changed field keeps the other one
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Box 0)) (((box (content Int) (full Bool)))))
(declare-fun b () Box)
(declare-fun c () Box)
(assert (= c (box (+ (content b) 1) (full b))))
(assert (distinct (full c) (full b)))
(check-sat)
