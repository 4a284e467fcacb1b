(declare-const a (Array Int Int))
(assert (= 0 (select a 0)))
(check-sat-using smtfd)
