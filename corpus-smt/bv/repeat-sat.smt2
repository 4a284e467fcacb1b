; a bit repeated 5 times, and 1 added, 5 times is 0 or -1
(set-logic ALL)
(set-info :status sat)
(declare-fun b () (_ BitVec 1))
(declare-fun x () (_ BitVec 5))
(assert (= x (bvadd ((_ repeat 5) b) #b00001)))
(assert (distinct x #b00000))
(assert (distinct x #b11111))
(check-sat)
