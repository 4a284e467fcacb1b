; a logical shift of 3 bits by #b011 leaves something
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (bvuge y #b011))
(assert (distinct #b000 (bvlshr x y)))
(check-sat)
