"""Mutations of SMT problems, one family in a module; `registry.py` has their order, and adds rows for any formula.

A row here may use assertions and declared functions. The interpolation domain takes the rows that keep
contradictions, so a row must leave annotations of assertions alone; rows about the form of a script or about a model
are left out there. Ids begin with `smt_` because stored units name them; the prefix is not in the file names.

Never rename or reuse an id, and never move a row: bytes choose by position. A row that only replaces one term is made
by `mutators.rewriting.term_rows`, which finds the places of a pattern and reads the result again.

Functions are first-class here, unlike predicates of Horn systems: a converter of witnesses is not needed, because the
evaluator checks models of the mutant itself.
"""
