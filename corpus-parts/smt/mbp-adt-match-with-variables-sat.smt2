; A question about corpus-smt/adt/match-with-variables-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (e) ((e (number 0)) (n 0)))")
(declare-datatypes ((Either 0)) (((number (value Int)) (word (bits (_ BitVec 3))) (flag (set Bool)))))
(declare-fun e () Either)
(declare-fun n () Int)
(assert (= n (ite ((_ is number) e) (ite (< (value e) 0) (- (value e)) (value e)) (ite ((_ is word) e) (bv2nat (bits e)) (ite (set e) 1 0)))))
(assert (< n 1))
(check-sat)
