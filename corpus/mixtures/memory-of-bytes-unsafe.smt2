; a memory of bytes, all 0, with addresses of four bits
; repeat any number of times: memory[a] := #x8, and a := a + 1
; assert that the first bit of memory[x] is 0, for each x
(set-logic HORN)
(set-info :status unsat)
(declare-fun memory ((Array (_ BitVec 4) (_ BitVec 8)) (_ BitVec 4)) Bool)
(assert (memory ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00) #x0))
(assert (forall ((m (Array (_ BitVec 4) (_ BitVec 8))) (a (_ BitVec 4)))
  (=> (memory m a) (memory (store m a (concat #x8 a)) (bvadd a #x1)))))
(assert (forall ((m (Array (_ BitVec 4) (_ BitVec 8))) (a (_ BitVec 4)) (x (_ BitVec 4)))
  (=> (and (memory m a) (distinct ((_ extract 7 7) (select m x)) #b0)) false)))
(check-sat)
