; corpus-smt/arrays/read-over-write-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun a () (Array Int Int))
(declare-fun i () Int)
(declare-fun j () Int)
(assert (! (distinct (select (store a i 5) (- j 1)) 5) :interpolation-group g1))
(assert (! (= j (+ i 1)) :interpolation-group g0))
(check-sat)
