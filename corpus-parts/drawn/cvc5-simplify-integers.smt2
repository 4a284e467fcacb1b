; A drawn question to cvc5-simplify: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((i (- 2)) (j (- 2)) (k (- 2))) ((substitutions false)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (or (<= i k) (distinct k 0 0)))
(assert (distinct k 0))
(check-sat)
