; the states of a register with two bits are collected: one is missing, although the last one was seen
(set-logic ALL)
(set-info :status unsat)
(declare-fun states () (Set (_ BitVec 2)))
(declare-fun s () (_ BitVec 2))
(assert (set.subset (set.insert #b00 #b01 (set.singleton #b10)) states))
(assert (set.member #b11 states))
(assert (not (set.member s states)))
(check-sat)
