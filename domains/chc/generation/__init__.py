"""Horn systems that are drawn together with the witness of their answer.

The witness comes first: invariants for a satisfiable system, an execution for an unsatisfiable one. No solver runs,
so the answer is known even where all solvers give up. `Generated.is_right` checks the witness like one of a solver
before `chcfuzz generate` writes a seed.

Never use a solver to repair a drawn system, and never draw from anything but `Choices`: the same random seed writes
the same files. A new kind of transition needs both sides, the invariants that it preserves (`generate_sat.py`) and
its execution (`generate_unsat.py`). The numbers of a predicate are a vector in both, whatever their sorts are:
`layouts.py` decides how a vector is stored in arguments, arrays, data types and bit-vectors.
"""
