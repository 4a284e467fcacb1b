; the formula of Alt-Ergo's issue 479, found by Alt-Ergo-Fuzz, as Alt-Ergo's test 479.smt2 states it: 1 divided by a
; number that is at least 2
(set-logic ALL)
(set-info :status sat)
(declare-const x Int)
(declare-const b Bool)
(assert (<= 2 x))
(assert (<= x (ite b 2 (div 1 x))))
(check-sat)
