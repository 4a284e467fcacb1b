"""Witnesses of the solver put back into a system: HornGator's interrogation testing, with promises.

HornGator (ASE 2025) obtains a witness from a CHC solver, builds the next query from it, and repeats. Here the witness
is checked first (domains/chc/oracles/witnesses.py), so the answer of each result is known:

- With a model M of the system, an atom P(t) and its meaning M_P(t) have the same value under M. Replacing one by the
  other, joining them by `and` or `or`, and adding clauses that compare P with M_P keep M a model of every clause: the
  result is sat. If M_P is a conjunction, one member may replace it wherever P(t) has to imply it; if it is a
  disjunction, one member may replace it wherever it has to imply P(t).
- With a refutation, every change that keeps each of its steps possible keeps the result unsat.

The rows of a model change only sat systems into sat ones, and the rows of a refutation only unsat systems into unsat
ones, since without a checked witness they do nothing: all are `EQUISATISFIABLE`. No row is `EQUIVALENT`: most results
have other models. The promise depends on Z3's SMT solver where it proved the clauses under a model, and on our own
evaluator for a refutation, never on Spacer. A system whose status is known is not queried for the opposite answer.

The witness that a row builds on is also a witness of its result (for a refutation: its facts), so the converter of the
row (`Mutation.converter`) returns it. Another model of the system before may fail where M was put in.
"""

from __future__ import annotations

from chcfuzz.domains.chc.rows.interrogation import models as interrogation_models
from chcfuzz.domains.chc.rows.interrogation import refutations as interrogation_refutations

MUTATIONS = (*interrogation_models.MUTATIONS, *interrogation_refutations.MUTATIONS)
