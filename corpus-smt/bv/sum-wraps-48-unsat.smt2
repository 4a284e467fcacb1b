; a sum of 48 bits is less than its first term, which is clear, as in the second in its highest bit
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 48))
(declare-fun y () (_ BitVec 48))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 47 47) x) #b0))
(assert (= ((_ extract 47 47) y) #b0))
(check-sat)
