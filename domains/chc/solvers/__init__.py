"""Spacer, Z3's other engines for Horn clauses, and what is known of Golem and Eldarica.

Every solver turns a text, parameters and a resource limit into an `Outcome`, and never raises for what the solver
does: an error, a limit, a hang and a death are values of `Status`. Each execution has a fresh context, so no
execution can influence the next. The resource limit decides; the watchdog only protects the campaign.

These must never happen: a verdict in this room (oracles judge), a parameter that writes a file, and a wall clock that
changes an answer. Solvers that run as a command are in `chcfuzz.solvers`, the z3 program among them; this room only has
their dialects, which `solvers/dialects.py` loads by name, and the `Derivation` that their output may contain.

To add options of a command, write a table like `eldarica.py` and a `DIALECT`, and name its module in
`solvers/dialects.py`. A test compares the table with the help of the installed solver.

Two oddities: parameters that this release of Z3 does not have are left out and named in the outcome, because stored
units are replayed on other releases; and the process has one memory limit instead of one for each context, because Z3
has only this one.
"""
