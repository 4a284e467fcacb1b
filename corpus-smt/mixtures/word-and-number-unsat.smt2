; a word of 5 bits and its number: the successor is never 32
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 5))
(declare-fun n () Int)
(assert (= n (bv2nat x)))
(assert (= (bv2nat (bvadd x #b00001)) 32))
(check-sat)
