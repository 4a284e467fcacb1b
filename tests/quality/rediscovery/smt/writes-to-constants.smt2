; A constant array with one write is another array with one write, which has another value somewhere.
; Z3 compares the arrays where they were written, and forgets the rest of two constant arrays.
(set-logic ALL)
(declare-fun a () (Array (_ BitVec 2) (_ BitVec 3)))
(declare-fun i () (_ BitVec 2))
(declare-fun j () (_ BitVec 2))
(declare-fun k () (_ BitVec 2))
(declare-fun e () (_ BitVec 3))
(declare-fun f () (_ BitVec 3))
(assert (= (store ((as const (Array (_ BitVec 2) (_ BitVec 3))) #b001) i e) (store a j f)))
(assert (= (select a k) #b010))
(check-sat)
