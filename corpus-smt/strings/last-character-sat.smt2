; the character behind the last one does not exist: there is none
(set-logic ALL)
(set-info :status sat)
(declare-fun c () String)
(assert (= (str.to_code c) 196607))
(assert (= (str.len (str.from_code (+ (str.to_code c) 1))) 0))
(check-sat)
