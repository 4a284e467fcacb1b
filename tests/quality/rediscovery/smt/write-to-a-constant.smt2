; A constant array with one write is another array, which has another value somewhere.
; Z3 compares the arrays where they were written, and forgets the rest if the other one is constant as well.
(set-logic ALL)
(declare-fun a () (Array (_ BitVec 2) (_ BitVec 3)))
(declare-fun i () (_ BitVec 2))
(declare-fun k () (_ BitVec 2))
(declare-fun e () (_ BitVec 3))
(assert (= (store ((as const (Array (_ BitVec 2) (_ BitVec 3))) #b001) i e) a))
(assert (= (select a k) #b010))
(check-sat)
