; every word of 2 bits is twice a word
(set-logic ALL)
(set-info :status unsat)
(assert (forall ((x (_ BitVec 2))) (exists ((y (_ BitVec 2))) (= x (bvadd y y)))))
(check-sat)
