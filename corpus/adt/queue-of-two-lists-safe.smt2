; a queue as a front and a back list: put at the back, take from the front
; a put into an empty queue goes to the front; when a take empties the front, the back becomes the front
; assert that the back is empty where the front is
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((IntList 0)) (((nil) (cons (head Int) (tail IntList)))))
(declare-fun queue (IntList IntList) Bool)
(assert (queue nil nil))
; put
(assert (forall ((back IntList) (x Int)) (=> (queue nil back) (queue (cons x nil) back))))
(assert (forall ((front IntList) (back IntList) (x Int))
  (=> (and (queue front back) (distinct front nil)) (queue front (cons x back)))))
; take
(assert (forall ((front IntList) (back IntList) (x Int))
  (=> (and (queue (cons x front) back) (distinct front nil)) (queue front back))))
(assert (forall ((back IntList) (x Int)) (=> (queue (cons x nil) back) (queue back nil))))
(assert (forall ((back IntList)) (=> (and (queue nil back) (distinct back nil)) false)))
(check-sat)
