; the sum of a list by recursion: the order matters
(set-logic ALL)
(set-info :status unsat)
(define-fun-rec total ((s (Seq Int))) Int (ite (= (seq.len s) 0) 0 (+ (seq.nth s 0) (total (seq.extract s 1 (- (seq.len s) 1))))))
(declare-fun x () Int)
(declare-fun y () Int)
(assert (distinct (total (seq.++ (seq.unit x) (seq.unit y))) (total (seq.++ (seq.unit y) (seq.unit x)))))
(check-sat)
