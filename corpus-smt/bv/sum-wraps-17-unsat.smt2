; a sum of 17 bits is less than its first term, which is clear, as in the second in its highest bit
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 17))
(declare-fun y () (_ BitVec 17))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 16 16) x) #b0))
(assert (= ((_ extract 16 16) y) #b0))
(check-sat)
