; two words are joined: the line ends before the second begins
(set-logic ALL)
(set-info :status unsat)
(declare-fun w () (Seq String))
(declare-fun line () String)
(assert (= (seq.len w) 2))
(assert (= line (str.++ (seq.nth w 0) "-" (seq.nth w 1))))
(assert (<= (str.len line) (str.len (seq.nth w 0))))
(check-sat)
