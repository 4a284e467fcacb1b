; A question about corpus-smt/nia/squares-mod-4-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (euf-completion) ((x 5) (y 5)))")
(declare-fun x () Int)
(declare-fun y () Int)
(assert (= (mod (+ (* x x) (* y y)) 4) 2))
(assert (<= 0 x 5))
(assert (<= 0 y 5))
(check-sat)
