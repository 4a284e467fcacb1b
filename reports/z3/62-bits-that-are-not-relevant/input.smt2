(declare-const s (Seq Float16))
(assert (fp.lt (seq.nth s 0) (seq.nth s 1)))
(assert (> (seq.len s) 1))
(check-sat)
