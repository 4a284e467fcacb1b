; a tester of a choice is a choice of testers
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun xs () List)
(declare-fun ys () List)
(declare-fun p () Bool)
(assert (distinct ((_ is cons) (ite p xs (cons 1 ys))) (ite p ((_ is cons) xs) true)))
(check-sat)
