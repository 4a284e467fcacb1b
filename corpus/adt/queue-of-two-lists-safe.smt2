; a queue as a front and a back list: put at the back, take from the front
; when the front is empty the back becomes the front
; assert that take never fails on a queue with exactly one element in it
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun queue (List List Int) Bool)
(assert (queue nil nil 0))
(assert (forall ((front List) (back List) (x Int) (n Int))
  (=> (and (queue front back n) (= front nil) (= n 0)) (queue (cons x nil) back 1))))
(assert (forall ((front List) (back List) (x Int) (n Int))
  (=> (and (queue front back n) (= front nil) (> n 0)) (queue front (cons x back) (+ n 1)))))
(assert (forall ((front List) (back List) (x Int) (n Int))
  (=> (and (queue front back n) (distinct front nil)) (queue front (cons x back) (+ n 1)))))
(assert (forall ((front List) (back List) (x Int) (n Int))
  (=> (and (queue (cons x front) back n) (distinct front nil)) (queue front back (- n 1)))))
(assert (forall ((back List) (x Int) (n Int)) (=> (queue (cons x nil) back n) (queue back nil (- n 1)))))
(assert (forall ((back List) (n Int)) (=> (and (queue nil back n) (= n 1)) false)))
(check-sat)
