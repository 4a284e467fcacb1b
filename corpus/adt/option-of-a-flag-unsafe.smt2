; answer, n := none, 0
; repeat any number of times: from none, answer := some (n = 2); from some false, answer := none, n := n + 1
; assert some true comes with n = 2, and none with an even n
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((Option 0)) (((none) (some (flag Bool)))))
(declare-fun try (Option Int) Bool)
(assert (try none 0))
(assert (forall ((o Option) (n Int)) (=> (and (try o n) ((_ is none) o)) (try (some (= n 2)) n))))
(assert (forall ((o Option) (n Int)) (=> (and (try o n) (= o (some false))) (try none (+ n 1)))))
(assert (forall ((o Option) (n Int)) (=> (and (try o n) ((_ is some) o) (distinct (flag o) (= n 2))) false)))
(assert (forall ((n Int)) (=> (and (try none n) (= (mod n 2) 1)) false)))
(check-sat)
