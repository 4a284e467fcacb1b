; half(x) = some(x div 2) if (= (mod x 2) 0), else none
; assert that a result q has q + q = x
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((Option 0)) (((none) (some (value Int)))))
(declare-fun half (Int Option) Bool)
(assert (forall ((x Int) (r Option)) (=> (= r (ite (= (mod x 2) 0) (some (div x 2)) none)) (half x r))))
(assert (forall ((x Int) (q Int)) (=> (and (half x (some q)) (distinct (+ q q) x)) false)))
(check-sat)
