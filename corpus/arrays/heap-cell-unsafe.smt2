; p := new cell; q := new cell
; heap[p] := 1; heap[q] := 2
; assert heap[p] = 1
; the allocator gives an address twice
(set-logic HORN)
(set-info :status unsat)
(declare-fun l1 ((Array Int Int) Int Int) Bool)
(declare-fun l2 ((Array Int Int) Int Int Int) Bool)
(declare-fun l3 ((Array Int Int) Int Int) Bool)
(assert (forall ((heap (Array Int Int)) (next Int) (p Int))
  (=> (and (> next 0) (= p next)) (l1 heap p (+ next 0)))))
(assert (forall ((heap (Array Int Int)) (after (Array Int Int)) (next Int) (p Int) (q Int))
  (=> (and (l1 heap p next) (= q next) (= after (store heap p 1))) (l2 after p q next))))
(assert (forall ((heap (Array Int Int)) (after (Array Int Int)) (next Int) (p Int) (q Int))
  (=> (and (l2 heap p q next) (= after (store heap q 2))) (l3 after p q))))
(assert (forall ((heap (Array Int Int)) (p Int) (q Int))
  (=> (and (l3 heap p q) (not (= (select heap p) 1))) false)))
(check-sat)
