"""From an outcome to verdicts.

The room promises that a finding is a fault of the solver: a check that cannot decide returns UNDECIDED, which is
counted and never reported. A wrong answer is only suspected here; an examination confirms it (`triage/examine`).

A verdict has three readers, and each has a part of its own. A person reads `detail`, so its wording is free. A solver
reads `evidence`, a script that shows the finding without chcfuzz. Signatures, reductions and locations read `fault`,
the class of the fault (`solvers/faults.py`); its text is in stored records and never changes.

Forbidden here:

- A clock. Limits are counts of the solver's resources, so the same execution has the same verdict on every machine.
- A decision that rests on one engine alone if that engine is under test. Z3 finds a model of Z3 wrong only if our
  evaluator or cvc5 agrees; `Verdict.judges` names those who do.
- Code that reads a `detail`. `tests/triage/examine/test_rewording.py` rewords all of them.
- Another solver, unless its oracle has `asks_others`: the examination then repeats that part, too.

To add an oracle, write a module with a function that returns a `Verdict`, add a row to `ORACLES` in `verdict.py`, and
call it from the domain, or from `Pipeline.execute` if it holds for every domain. A check that needs an outcome alone is
a function of `outcome_checks`. Oracles about the problems of one domain are in `domains/<domain>/oracles/`. To add a
kind of finding, see `verdict.py`.

Odd on purpose: `second_solver` forks a process for each script, so that a failure of cvc5 affects nothing else, and
`left_open` withdraws findings that depend on a value that SMT-LIB leaves open, such as that of `(div x 0)`.
"""
