; => of three is read from the right, = and xor from the left
(set-logic ALL)
(set-info :status sat)
(declare-fun a () Bool)
(declare-fun b () Bool)
(declare-fun c () Bool)
(assert (distinct (=> a b c) (=> (=> a b) c)))
(check-sat)
