; a file is closed, or has an array of lines and their number
; open it without lines; repeat any number of times: append a line that is not negative
; assert that the last line is positive
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((File 0)) (((closed) (opened (lines (Array Int Int)) (end Int)))))
(declare-fun file (File) Bool)
(assert (file closed))
(assert (forall ((a (Array Int Int))) (=> (file closed) (file (opened a 0)))))
(assert (forall ((f File) (x Int))
  (=> (and (file f) ((_ is opened) f) (>= x 0))
      (file (opened (store (lines f) (end f) x) (+ (end f) 1))))))
(assert (forall ((f File))
  (=> (and (file f) ((_ is opened) f) (> (end f) 0) (<= (select (lines f) (- (end f) 1)) 0)) false)))
(check-sat)
