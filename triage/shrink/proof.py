"""Proofs by Z3 that two formulas are equivalent for all predicates: HornFuzz's check of a reduced clause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from chcfuzz.grammar.printing.printer import print_system, print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Quantifier, Term, free_variables, negation

RLIMIT = 300_000  # for one proof; a clause of a small system takes a few thousand


def proves_equivalent(system: System) -> Callable[[Term, Term], bool]:
    """Return the check for formulas over the predicates and data types of a system.

    A proof that takes more than `RLIMIT` resource units fails. `z3_release.activate` has to run before. The Z3 of this
    process is the judge, so it must not be the one under test.
    """
    import z3

    declared = print_system(replace(system, clauses=(), info=(), options=()))
    head = declared.replace("(set-logic HORN)\n", "").replace("(check-sat)\n", "")

    def implies(one: Term, other: Term) -> bool:
        solver = z3.Solver(ctx=z3.Context())
        solver.set("rlimit", RLIMIT)
        free = dict.fromkeys((*free_variables(one), *free_variables(other)))
        constants = "".join(f"(declare-const {quoted(variable.name)} {variable.sort})" for variable in free)
        try:
            solver.from_string(f"{head}{constants}(assert {print_term(one)})(assert {print_term(negation(other))})")
            return bool(solver.check() == z3.unsat)
        except z3.Z3Exception:
            return False

    def same(old: Term, new: Term) -> bool:
        # If both quantify the same variables, first compare their bodies: a query without quantifiers.
        # Prove each direction separately: an equation would have quantifiers below it.
        pairs = [(old, new)]
        if isinstance(old, Quantifier) and isinstance(new, Quantifier) and old.variables == new.variables:
            pairs.insert(0, (old.body, new.body))
        return any(implies(one, other) and implies(other, one) for one, other in pairs)

    return same
