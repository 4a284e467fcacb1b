; a word of 5 bits and its number: the successor wraps
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 5))
(declare-fun n () Int)
(assert (= n (bv2nat x)))
(assert (= (bv2nat (bvadd x #b00001)) (- n 31)))
(check-sat)
