; a tester of a choice is a choice of testers, of the same constructor
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun xs () List)
(declare-fun ys () List)
(declare-fun p () Bool)
(assert (distinct ((_ is cons) (ite p xs (cons 1 ys))) (ite p ((_ is nil) xs) true)))
(check-sat)
