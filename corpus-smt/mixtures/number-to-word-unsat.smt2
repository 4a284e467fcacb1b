; a number as a word of 3 bits is not its last bits
(set-logic ALL)
(set-info :status unsat)
(declare-fun n () Int)
(assert (= ((_ int2bv 3) n) #b110))
(assert (= (mod n 8) 5))
(assert (< n 0))
(check-sat)
