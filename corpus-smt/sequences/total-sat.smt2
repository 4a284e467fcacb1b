; the sum of a list by recursion: three
(set-logic ALL)
(set-info :status sat)
(define-fun-rec total ((s (Seq Int))) Int (ite (= (seq.len s) 0) 0 (+ (seq.nth s 0) (total (seq.extract s 1 (- (seq.len s) 1))))))
(declare-fun x () Int)
(assert (= (total (seq.++ (seq.unit 1) (seq.unit x))) 3))
(check-sat)
