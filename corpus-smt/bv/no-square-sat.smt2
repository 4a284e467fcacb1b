; 17 is a square in 8 bits
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 8))
(assert (= (bvmul x x) (_ bv17 8)))
(check-sat)
