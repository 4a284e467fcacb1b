"""Mutations that only interpolation problems have: about groups, cuts, and symbols that are shared or local.

The registry adds the rows for SMT problems that preserve contradictions, because a satisfiable problem does not have
interpolants. `registry.py` declines mutants without a cut, for all rows in one place.

A row must keep every assertion in its group unless it is about groups, and it must keep the tree of groups
well-formed; `Interpolation` checks that when it is made. Ids begin with `itp_`, and stored units name them.

Shared symbols decide whether a row is useful: solvers go wrong where a symbol crosses a cut, in mixed terms, and
where a definition hides it.
"""
