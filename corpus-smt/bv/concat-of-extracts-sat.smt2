; the two parts of a word of 7 bits, exchanged, are the word rotated by 4
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 7))
(assert (distinct ((_ rotate_left 4) x) (concat ((_ extract 3 0) x) ((_ extract 6 4) x))))
(assert (= ((_ extract 0 0) x) #b1))
(check-sat)
