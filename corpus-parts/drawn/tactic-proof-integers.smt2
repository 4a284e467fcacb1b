; A drawn question to tactic-proof: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic-proof (elim-predicates dom-simplify))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (<= (mod k 3) (mod 3 3)))
(assert (not (<= (mod k 3) (mod 3 3))))
(check-sat)
