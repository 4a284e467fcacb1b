"""Z3, cvc5 and Bitwuzla as libraries, and commands, behind one protocol (`engine.Engine`).

Engines whose failed assertions abort the process run in a child (`isolation.py`, `child.py`): a death is then an
outcome of that solver, and not the end of a worker. `together.py` runs all engines on a problem, those in children at
the same time; `selection.py` reads the names that users write, such as `z3:sat.euf=true` or `z3@5.3.0.0`.

These must never happen: an import of a solver at the top of a module that the supervisor reads (`selection`,
`releases`, `engines`); two releases of one package in one process; a parameter that `solvers.solver_names` does not
allow.

To add a library, write an `Engine`, make it in `build.py`, and add its parameters to `parameters.toml` with
`bench/domains/smt_parameters.py`. To run engines of another domain in a child, name their `build` in
`Selected.builder`.

A child is replaced when it has lost 64 MiB, since a fresh context does not return everything that a solver took.
"""
