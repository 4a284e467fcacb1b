"""Oracles for Horn systems: from an outcome to a verdict with evidence that a person can check.

A model is checked clause by clause, a derivation step by step. An oracle promises that a finding has evidence:
SMT-LIB that any solver decides at once, because nothing is left to search. If the check itself cannot decide, the
verdict is `UNDECIDED`, which is counted and never reported: a false alarm costs more than a missed bug.

These must never happen: trust in the solver under test, a clock instead of a resource limit, and a term whose value
SMT-LIB leaves open (`oracles.left_open`) as a proof of anything. Witnesses of other solvers are texts until they are
checked here, no matter who found them.

`model`, `proof` and `alethe` check what a solver gives with its answer; `failing` and `counterexample` decide whether a
clause is false under a model. `cross` and `plain_smt` compare with other solvers. `evidence` writes the scripts.

To add an oracle, write `check(...) -> Verdict` in a module of its own, add it to `ORACLES`, and let the domain return
it from `verdicts`, or from the second opinion if it costs as much as solving. Test it with right answers and with
answers that were made wrong on purpose.

Why there are three ways to a refutation (`derive`, `instantiations`, `bounded_search`): each fails on systems that
the others solve, and the first that succeeds is checked by `refutation.fault` in any case. Mutations may use a
witness only through `witnesses`, which makes the same check as the oracle. `least_model` finds a model where few facts
follow, such as those of a bounded counter.
"""
