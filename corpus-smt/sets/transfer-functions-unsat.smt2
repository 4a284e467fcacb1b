; a block of a program adds facts and removes others: running it twice has another effect
(set-logic ALL)
(set-info :status unsat)
(declare-fun facts () (Set Int))
(declare-fun adds () (Set Int))
(declare-fun removes () (Set Int))
(define-fun out ((s (Set Int)) (more (Set Int)) (less (Set Int))) (Set Int) (set.union more (set.minus s less)))
(assert (distinct (out (out facts adds removes) adds removes) (out facts adds removes)))
(check-sat)
