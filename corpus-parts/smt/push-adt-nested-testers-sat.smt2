; A question about corpus-smt/adt/nested-testers-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((xs (cons 2 nil)) (ys nil) (p true)))")
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun xs () List)
(declare-fun ys () List)
(declare-fun p () Bool)
(assert (distinct ((_ is cons) (ite p xs (cons 1 ys))) (ite p ((_ is nil) xs) true)))
(check-sat)
