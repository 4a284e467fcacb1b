"""Domains: kinds of problems that are fuzzed, each a room of its own with its rows, solvers and oracles.

This room promises that a kind of problems can be added, or removed, without a change of any other room. `protocol.py`
is the interface: campaigns, triage and commands see a domain only through it. The registry `mutators.roots.load`
finds a domain by its name, so a process imports only its own domain. `tests/quality/test_domains.py` rejects any
other import of a domain, also inside of functions; `[domains]` in `layers.toml` names the few domains that build on
others.

A test for the name of a domain must never happen anywhere, and neither must a field of a domain in a value of all
domains: results that only one domain has are a subclass of `Extra` in `Outcome.extra`. If a room needs to know more
about a domain, the protocol gets a member with a default, and the contract in its docstring.

To add a domain, follow `docs/adding-a-domain.md`. Its parts have fixed places: `domain.py` has the object `DOMAIN`,
`roots.py` reads and prints, `rows/` mutates, `solvers/` solves, and `oracles/` judges.

The object is in `domain.py`, and not here, because Python runs the `__init__` of every package on the way to a
module: helper processes import `solvers/` alone and would load all rows and the whole of triage with it. For the same
reason, members of a domain import what they use inside of the function. The interpolation domain builds on both
others: a path of a Horn system is an interpolation problem, and the engines that interpolate are those of the SMT
domain.
"""
