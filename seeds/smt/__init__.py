"""The proofs of the statuses of `corpus-smt/`.

A satisfiable seed has a model in `witnesses/`, which the evaluator checks, or which makes closed scripts that several
solvers decide (`closing`). An unsatisfiable seed has a list of at least two solvers that refute it (`statuses`,
`solvers`), or of values that were all tried. `python -m seeds.smt.find_witnesses` searches both.
"""
