; A question about corpus-smt/bv/concat-of-extracts-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-disjunct (x) ((x #b1011011)))")
(declare-fun x () (_ BitVec 7))
(assert (distinct ((_ rotate_left 4) x) (concat ((_ extract 3 0) x) ((_ extract 6 4) x))))
(assert (= ((_ extract 0 0) x) #b1))
(check-sat)
