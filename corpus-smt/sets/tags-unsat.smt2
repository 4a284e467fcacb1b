; a tag with a prefix is among those of a post: the post has one other tag only
(set-logic ALL)
(set-info :status unsat)
(declare-fun tags () (Set String))
(declare-fun tag () String)
(assert (set.subset tags (set.insert "xa" (set.singleton "b"))))
(assert (set.member (str.++ "x" tag) tags))
(assert (= tags (set.singleton "b")))
(check-sat)
