; After a step any row fits, whatever x and y are, so their sum need not be 0.
; Bug: not located. It hangs on an equality between a record and a term that asks about the same record.
; Wrong: 4.13.4.0 to 5.3.1.0 answer sat under some settings; 4.13.0.0 and 5.3.2.0 are right.
; Fix: not located; between 5.3.1 and 5.3.2.
(set-logic HORN)
(declare-datatypes ((Row 0)) (((row (key Int) (cells (Array Int Int))))))
(declare-fun q (Int) Bool)
(assert (q 0))
(assert (forall ((n Int)) (=> (q n) (q 1))))
(assert (forall ((x Int) (r Row) (k Int) (y Int) (a (Array Int Int)) (m Int))
  (=> (and (q 1) (= r (row m (ite (= (row k a) r) a ((as const (Array Int Int)) 2))))) (= (+ x y) 0))))
(check-sat)
