"""Whether Z3 proves two formulas equivalent whatever their predicates mean: HornFuzz's check of a reduced clause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from chcfuzz.grammar.printer import print_system, print_term
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Term, apply

RLIMIT = 300_000  # a proof; a clause of a small system takes some thousands


def proves_equivalent(system: System, rlimit: int = RLIMIT) -> Callable[[Term, Term], bool]:
    """The check for formulas over the predicates and data types of a system; what takes more than `rlimit` is unproved.

    Needs `z3_release.activate` before, and that Z3 is then the judge: it should not be one that is under suspicion.
    """
    import z3

    declared = print_system(replace(system, clauses=(), info=(), options=()))
    head = declared.replace("(set-logic HORN)\n", "").replace("(check-sat)\n", "")

    def same(old: Term, new: Term) -> bool:
        solver = z3.Solver(ctx=z3.Context())
        solver.set("rlimit", rlimit)
        try:
            solver.from_string(f"{head}(assert {print_term(apply('distinct', old, new))})")
            return bool(solver.check() == z3.unsat)
        except z3.Z3Exception:
            return False

    return same
