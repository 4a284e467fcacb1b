; f of two words of 3 bits that are not always equal
(set-logic ALL)
(set-info :status sat)
(declare-fun f ((_ BitVec 3)) (_ BitVec 2))
(declare-fun x () (_ BitVec 3))
(assert (distinct (f (bvadd x x)) (f (bvshl x #b010))))
(assert (= (f #b000) #b10))
(check-sat)
