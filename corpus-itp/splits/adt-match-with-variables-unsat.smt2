; corpus-smt/adt/match-with-variables-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Either 0)) (((number (value Int)) (word (bits (_ BitVec 3))) (flag (set Bool)))))
(declare-fun e () Either)
(declare-fun n () Int)
(assert (! (= n (ite ((_ is number) e) (ite (< (value e) 0) (- (value e)) (value e)) (ite ((_ is word) e) (bv2nat (bits e)) (ite (set e) 1 0)))) :interpolation-group g1))
(assert (! (< n 0) :interpolation-group g0))
(check-sat)
