"""Mutations that only Horn systems have, one family in a module; `registry.py` has their order.

A row here may use clauses, heads, bodies and predicates. It promises one relation between a system and its mutant
(`Promise`), and the judge of the tests holds it to that on every system of `tests/mutators/systems.py`. Rows for any
formula belong to `mutators/families/`, so that other domains have them too.

Never rename or reuse an id, and never change what a row does with the same bytes: units in users' corpora name rows
and hold their bytes. New rows go to the end of a family, and new families to the end of `registry.OWN`. Never decide
by a clock, a set's order or `hash()`; all chance comes from `Choices`.

To add a row, follow `docs/adding-a-mutation.md`: the row, its case in the test table, a case that it declines, and a
converter of witnesses if predicates change.

Some things look odd and are not. A rewrite prints and parses its result (`as_read`), because a mutant must be the
system that its text states. Converters run a step again from its bytes, because a chain stores no systems. Rows that
depend on Z3's own rewriters (`rewrites.py`) have ids of Z3's parameters, so an unknown id is a row of another release
and no error. `interrogation/` runs Spacer during a mutation; its witnesses are checked before they are used.
"""
