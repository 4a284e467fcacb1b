; every word of 2 bits is the negation of a word
(set-logic ALL)
(set-info :status sat)
(assert (forall ((x (_ BitVec 2))) (exists ((y (_ BitVec 2))) (= x (bvnand y y)))))
(check-sat)
