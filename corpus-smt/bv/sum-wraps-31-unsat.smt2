; a sum of 31 bits is less than its first term, which is clear, as in the second in its highest bit
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 31))
(declare-fun y () (_ BitVec 31))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 30 30) x) #b0))
(assert (= ((_ extract 30 30) y) #b0))
(check-sat)
