"""Constrained Horn clauses: Spacer in this process, a class in its place, or any CHC solver as a command.

`domain.py` answers the protocol and delegates: `roots.py` has the tables that bytes choose from, `witness_search.py`
looks for the witness that decides an examination, `second_opinion.py` queries the other solvers, `finding_script.py`
writes show.sh, `shape.py` and `unsupported.py` describe a reduced system as maintainers see it, and `generation/`
makes systems together with their witness.

The room promises that a wrong answer is reported only with a model or a refutation that was checked without the
solver under test. These must never happen: a table of `roots.py` that loses or moves an entry, because stored units
choose by position; and an import of z3 at the top of `domain.py` or `roots.py`, because the supervisor loads them
before a release of Z3 is chosen.

A solver that is a command needs no code here, only a `DIALECT` in `solvers/` if it has options of its own.
"""
