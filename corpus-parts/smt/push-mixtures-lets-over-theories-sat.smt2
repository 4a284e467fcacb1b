; A question about corpus-smt/mixtures/lets-over-theories-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((a ((as const (Array Int (_ BitVec 7))) #b0100000)) (i 0) (j 0) (p true)))")
(declare-fun a () (Array Int (_ BitVec 7)))
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun p () Bool)
(assert (and (and p (= i j)) (distinct (bvadd (select a i) (select a j)) (bvmul (select a i) (select a j)))))
(check-sat)
