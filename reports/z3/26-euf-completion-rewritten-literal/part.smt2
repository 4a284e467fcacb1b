(declare-const b Bool)
(assert (not (=> true (not b))))
(apply euf-completion)
