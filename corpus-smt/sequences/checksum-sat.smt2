; a checksum of bytes: it overflows
(set-logic ALL)
(set-info :status sat)
(declare-fun p () (Seq (_ BitVec 8)))
(assert (= (seq.len p) 2))
(assert (bvult (bvadd (seq.nth p 0) (seq.nth p 1)) (seq.nth p 0)))
(assert (seq.suffixof (seq.unit #x01) p))
(check-sat)
