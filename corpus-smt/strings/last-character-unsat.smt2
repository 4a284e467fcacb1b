; the character behind the last one does not exist: there is one
(set-logic ALL)
(set-info :status unsat)
(declare-fun c () String)
(assert (= (str.to_code c) 196607))
(assert (= (str.len (str.from_code (+ (str.to_code c) 1))) 1))
(check-sat)
