; a leaf that is on is grown; so is a node whose trees are grown, and any leaf that has the first of such trees beside it
; assert no leaf that is off is grown
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((Tree 0) (Forest 0)) (((leaf (bit Bool)) (node (trees Forest))) ((end) (more (first Tree) (rest Forest)))))
(declare-fun grown (Tree) Bool)
(declare-fun all-grown (Forest) Bool)
(assert (grown (leaf true)))
(assert (all-grown end))
(assert (forall ((t Tree) (f Forest)) (=> (and (grown t) (all-grown f)) (all-grown (more t f)))))
(assert (forall ((f Forest)) (=> (all-grown f) (grown (node f)))))
(assert (forall ((f Forest)) (=> (and (all-grown f) ((_ is more) f)) (grown (leaf ((_ is leaf) (first f)))))))
(assert (forall ((t Tree)) (=> (and (grown t) ((_ is leaf) t) (not (bit t))) false)))
(check-sat)
