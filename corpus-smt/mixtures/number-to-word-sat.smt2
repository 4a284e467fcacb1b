; a number as a word of 3 bits is its last bits
(set-logic ALL)
(set-info :status sat)
(declare-fun n () Int)
(assert (= ((_ int2bv 3) n) #b101))
(assert (= (mod n 8) 5))
(assert (< n 0))
(check-sat)
