(declare-const c (Seq String))
(assert (distinct c (as seq.empty (Seq String)) (seq.unit "!0!")))
(check-sat)
(get-model)
