(declare-const y (_ BitVec 4))
(declare-const z (_ BitVec 4))
(assert (= #b1 ((_ extract 1 1) (bvadd y z))))
(check-sat-using (then bv1-blast smt))
