(declare-const a (Array (_ BitVec 2) Int))
(assert (= (store a #b00 0) ((as const (Array (_ BitVec 2) Int)) 0)))
(assert (= (store a #b01 1) ((as const (Array (_ BitVec 2) Int)) 1)))
(check-sat)
