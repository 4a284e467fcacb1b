"""What the solver itself says of a system, put back into it: HornGator's interrogation testing, with promises.

HornGator (ASE 2025) asks a CHC solver for a witness, builds the next query from it, and asks again. Here the witness is
checked first (oracles/witnesses.py), and so each result has an answer that is known:

- With a model M of the system, an atom P(t) and its meaning M_P(t) have the same value under M. Exchanging one for the
  other, joining them by `and` or `or`, and clauses that say how P and M_P compare, keep M a model of every clause: the
  result is sat. Where M_P is a conjunction, one of its members may stand for it wherever P(t) is to imply it; where it
  is a disjunction, one of its members wherever it is to imply P(t).
- With a refutation, whatever keeps each of its steps possible keeps the result unsat.

The first rows change sat systems only and make sat ones, the second unsat ones of unsat ones, for without a checked
witness they change nothing: all are `EQUISATISFIABLE`. No row is `EQUIVALENT`: most results have other models. That
promise hangs on Z3's SMT solver where it proved the clauses under a model, and on our own evaluator for a refutation,
never on Spacer. A system whose status is known is asked for no witness of the other answer.

The witness that a row asks for is one of its result too (of a refutation: its facts), so this is what it hands on
(`Mutation.carry`). Another model of the system before need not be one: it may differ from M where M was put in.
"""

from __future__ import annotations

from chcfuzz.mutators.families import interrogation_models, interrogation_refutations

MUTATIONS = (*interrogation_models.MUTATIONS, *interrogation_refutations.MUTATIONS)
