; a checksum of bytes: a header of two that cancel each other gives one
(set-logic ALL)
(set-info :status unsat)
(declare-fun p () (Seq (_ BitVec 8)))
(assert (seq.prefixof (seq.++ (seq.unit #xff) (seq.unit #x01)) p))
(assert (= (bvadd (seq.nth p 0) (seq.nth p 1)) #x01))
(check-sat)
