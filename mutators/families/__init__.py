"""Rows of the registry, one module for each family: how a mutation rewrites a problem, and what it promises.

Rows here need nothing that only one domain has: they rewrite formulas, and CHC systems, SMT problems, interpolation
problems and questions to parts share them. Rows about clauses or predicates need these (`needs=Needs.CLAUSES`), and
domains without clauses do not get them. Rows of one domain are in `domains/<domain>/rows`.

The room promises what each row promises: a mutant with the models, the answer, or one of the two answers of its
argument. `tests/mutators/judge.py` checks this with Z3 on hundreds of systems.

Forbidden here: a solver; chance that does not come from `choices`; an id that was used before, since ids are stored in
corpora; and an equality that SMT-LIB leaves open, such as a division by zero.

To add a row, add it to `MUTATIONS` of its family, with a case in the table of the family's test
(docs/adding-a-mutation.md). `mutators/rewriting` finds and replaces terms.

Odd on purpose: a rewrite may return None although its row applies, because `applies` has to be cheap.
"""
