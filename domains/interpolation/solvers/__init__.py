"""Interpolating solvers: Spacer and instances on Z3, Bitwuzla, cvc5, and commands such as SMTInterpol and Princess.

Each gets an `Interpolation` and gives one text for each cut, in `Outcome.extra` as `Texts`; nothing is checked here.
A solver that does not read a problem refuses it (`interpolator.refusal`), which is an outcome, too. `inputs.py`
writes the text that each solver reads, since no two have the same notation for groups.

These must never happen: a simplification of interpolants before the check, since a wrong one may become right, and a
solver in this process whose assertions abort; those run in a child of `domains.smt.solvers`.

`jars.py` fetches pinned archives and compares their digests; a new release is a new digest and a new test.
Interpolation by instances (`instances.py`) is our own: quantified problems become ground ones, as iZ3 did, so that
the solvers for ground problems meet them.
"""
