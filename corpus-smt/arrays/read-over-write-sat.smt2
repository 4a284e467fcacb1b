; a value that was written at i is read at j
(set-logic ALL)
(set-info :status sat)
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(declare-fun j () Int)
(assert (distinct (select (store a i 5) j) 5))
(assert (= j (+ i 1)))
(check-sat)
