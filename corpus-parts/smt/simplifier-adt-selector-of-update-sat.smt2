; A question about corpus-smt/adt/selector-of-update-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (ng-push-app-ite max-bv-sharing) ((b (box 0 false)) (c (box 1 false))))")
(declare-datatypes ((Box 0)) (((box (content Int) (full Bool)))))
(declare-fun b () Box)
(declare-fun c () Box)
(assert (= c (box (+ (content b) 1) (full b))))
(assert (distinct (content c) (content b)))
(check-sat)
