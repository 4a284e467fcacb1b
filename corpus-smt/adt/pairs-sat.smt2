; a data type with parameters: the pair exchanged twice and increased
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Pair 2)) ((par (X Y) ((pair (fst X) (snd Y))))))
(declare-fun p () (Pair Int Bool))
(declare-fun q () (Pair Bool Int))
(assert (= q (pair (snd p) (+ (fst p) 1))))
(assert (distinct p (pair (snd q) (fst q))))
(check-sat)
