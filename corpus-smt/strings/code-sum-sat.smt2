; a letter is moved by three places: a becomes d
(set-logic ALL)
(set-info :status sat)
(declare-fun c () String)
(declare-fun d () String)
(assert (= (str.len c) 1))
(assert (= d (str.from_code (+ (str.to_code c) 3))))
(assert (= d "d"))
(check-sat)
