; A minimum of two cells of an array: it is -1, so the last loop reaches 1 and false follows.
; Bug: unsat_core_plugin_farkas_lemma trusts coefficients whose sum is no contradiction (public issue 7417).
; Wrong: the z3 program of 5.1.0.0 to 5.4.1.0, under default options; the library answers right.
; Fix: none; reports/z3/34-farkas-coefficients has a patch.
(set-logic HORN)
(declare-fun inv1 (Int (Array Int Int) Int Int Int) Bool)
(declare-fun inv2 ((Array Int Int) (Array Int Int) Int Int Int) Bool)
(assert (inv1 1 (store ((as const (Array Int Int)) 0) 1 (- 1)) 0 0 2))
(assert (forall ((A (Array Int Int)) (B Int) (C Int) (D Int) (E Int) (u Int))
    (=> (and (inv1 u A B C D) (> D B) (= E (ite (<= C (select A B)) C (select A B))))
        (inv1 2 A (+ 1 B) E D))))
(assert (forall ((A (Array Int Int)) (B Int) (C Int) (D Int) (u Int))
    (=> (and (inv1 u A B C D) (>= B D))
        (inv2 A A C 0 D))))
(assert (forall ((A (Array Int Int)) (B (Array Int Int)) (C Int))
    (=> (inv2 A B C 0 2)
        (inv2 A (store B 1 (select A 1)) (+ 1 C) 0 2))))
(assert (forall ((A (Array Int Int)) (B (Array Int Int)) (C Int) (D Int) (E Int))
    (=> (and (inv2 A B C D E) (>= C 1) (> E 1))
        false)))
(check-sat)
