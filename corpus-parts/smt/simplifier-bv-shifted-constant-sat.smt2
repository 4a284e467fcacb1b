; A question about corpus-smt/bv/shifted-constant-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (fold-unfold ng-push-app-ite) ((x #b001) (y #b001)))")
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (= (bvshl #b101 y) (bvadd x x)))
(assert (= (bvshl x y) #b010))
(check-sat)
