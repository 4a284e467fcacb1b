"""Well-sorted terms, literals and whole problems from choices.

The room promises that a drawn term has the requested sort, reads back as itself, has at most about the requested number
of operators, and depends on nothing but the scope, the weights and the choices. Choices that have run out give the
smallest term: libFuzzer's mutations of the end of a unit change little.

`draw` draws terms by reading the typing rules backwards, `literals` draws values, `drawing_scope` holds the parts that
a term may use, `weights` decides between productions (the learned model is one implementation), `draw_problem` and
`draw_signature` draw whole problems within `drawing_limits`.

Forbidden here:

- Chance from anywhere but `Choices`, or an order that comes from a set.
- Another term for stored bytes. Units are stored as choices: an inserted candidate or a reordered table changes the
  mutants of every corpus. Put new operators and new candidates where they do not shift old ones, and run the tests of
  stored units (`tests/mutators/`).
- An operator that only one solver reads, or one that SMT-LIB leaves open where it could be avoided: products and
  quotients are drawn with numbers, and these are not zero.

To add an operator, add its typing rule; it is drawn from then on with weight 1. A domain or a row that prefers some
operators passes weights.

Odd on purpose: `_weighted` consumes choices even between few candidates, as `Choices.pick` does, because the number of
consumed bytes is part of the meaning of a unit. Sorts without literals (uninterpreted ones) get terms only if variables
or functions in scope make them; `can_draw` answers this before anything is consumed.
"""
