"""Helpers that several mutation families share.

The room promises that a rewritten problem is well-formed and differs from its argument only at the places that a row
chose. `places` finds terms by a condition, counts them without listing them, and replaces one; `polarity` has places
where a stronger or weaker formula keeps one answer; `term_rows` makes a row of an equality between terms.

Rows that change predicates compute one value, a `PredicateTransformation`, from which the new system and the conversion
of witnesses follow, so that both agree (`predicate_transformation`, `model_converter`). `resolution` and
`clause_making` make clauses, `symbols` and `functions` rename and define, `vector_terms` and `vector_definitions`
write bit-vectors.

Forbidden here: ids of rows, promises that a caller did not state, and trust in a converted witness. It is proved or
evaluated before it decides anything.

To add a helper, wait for the second family that needs it.

Odd on purpose: `drawn_text` puts the text of a drawn term into the step itself, so that another model of formulas, or
another version of the drawer, changes no stored unit.
"""
