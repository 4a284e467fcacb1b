; a query names a key once: there is another one
(set-logic ALL)
(set-info :status unsat)
(declare-fun q () String)
(declare-fun v () String)
(assert (= q (str.++ "key=" v)))
(assert (not (str.contains v "=")))
(assert (>= (str.indexof q "=" 4) 0))
(check-sat)
