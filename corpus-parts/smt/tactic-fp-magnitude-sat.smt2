; A question about corpus-smt/fp/magnitude-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (dom-simplify bvarray2uf) ((x (_ NaN 8 24))))")
(declare-fun x () (_ FloatingPoint 8 24))
(assert (not (fp.geq (fp.abs x) (_ +zero 8 24))))
(check-sat)
