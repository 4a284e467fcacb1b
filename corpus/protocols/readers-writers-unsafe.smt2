; readers, writers := 0, 0
; repeat for ever, one of:
;     when writers = 0: a writer enters
;     when writers > 0: a writer leaves
;     when writers = 0: a reader enters
;     when readers > 0: a reader leaves
; assert not (readers > 0 and writers > 0) and writers <= 1
(set-logic HORN)
(set-info :status unsat)
(declare-fun room (Int Int) Bool)
(assert (room 0 0))
(assert (forall ((readers Int) (writers Int))
  (=> (and (room readers writers) (= writers 0)) (room (+ readers 1) writers))))
(assert (forall ((readers Int) (writers Int))
  (=> (and (room readers writers) (> readers 0)) (room (- readers 1) writers))))
(assert (forall ((readers Int) (writers Int))
  (=> (and (room readers writers) (= writers 0)) (room readers (+ writers 1)))))
(assert (forall ((readers Int) (writers Int))
  (=> (and (room readers writers) (> writers 0)) (room readers (- writers 1)))))
(assert (forall ((readers Int) (writers Int))
  (=> (and (room readers writers) (or (and (> readers 0) (> writers 0)) (> writers 1))) false)))
(check-sat)
