"""Z3 as the judge of claims: consistency of formulas under a resource limit, one incremental solver for each rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3
from chcfuzz.domains.chc.oracles.counterexample import completed, values_of
from chcfuzz.grammar.evaluation.values import Ground
from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Term, Variable, free_variables
from chcfuzz.solvers.watchdog import Watchdog

RLIMIT = 1_000_000  # for each question, in Z3's units; a lemma of the seeds takes 1,000 to 10,000


class Prover:
    """Z3 context in which all claims about one run are checked, with the data types of its system declared."""

    def __init__(self, system: System, watchdog: Watchdog) -> None:
        self._system = system
        self.watchdog = watchdog
        self._context = z3.Context()
        self._sorts: dict[str, z3.SortRef] = {}
        for group in system.datatypes:
            self._declare(print_datatypes(group), [datatype.name for datatype in group])

    def _declare(self, text: str, names: Sequence[str]) -> None:
        """Learn the sorts of a group of data types; Z3 finds their constructors and selectors in them."""
        declared = (f"(declare-const d!{i} {quoted(name)})(assert (= d!{i} d!{i}))" for i, name in enumerate(names))
        for name, equality in zip(names, self._read("".join((text, *declared))), strict=True):
            self._sorts[name] = equality.arg(0).sort()

    def _read(self, text: str) -> z3.AstVector:
        return z3.parse_smt2_string(text, self._sorts, ctx=self._context)

    @property
    def units(self) -> int:
        """The resource units that all questions took so far."""
        return int(z3.Solver(ctx=self._context).statistics().get_key_value("rlimit count"))

    def solver(self) -> IncrementalSolver:
        """Return a solver without assertions."""
        return IncrementalSolver(self, self._system, self.watchdog, self._context)

    def formula(self, term: Term) -> z3.BoolRef:
        """Return a formula for Z3; raises `z3.Z3Exception` for a text that it does not read."""
        declared = "".join(f"(declare-const {quoted(each.name)} {each.sort})" for each in free_variables(term))
        return self._read(f"{declared}(assert {print_term(term)})")[0]


class IncrementalSolver:
    """Solver that keeps its assertions, and decides whether further formulas are consistent with them."""

    def __init__(self, prover: Prover, system: System, watchdog: Watchdog, context: z3.Context) -> None:
        self._prover = prover
        self._system = system
        self._watchdog = watchdog
        self._context = context
        self._solver = z3.Solver(ctx=context)
        self._solver.set("rlimit", RLIMIT)

    def add(self, term: Term) -> None:
        """Assert a formula."""
        self._solver.add(self._prover.formula(term))

    def is_consistent(self, terms: Iterable[Term], literals: Iterable[Variable] = ()) -> bool | None:
        """Return whether all that is asserted, these formulas and these literals can hold together; None if unknown."""
        self._solver.push()
        try:
            for term in terms:
                self.add(term)
            return self._check(literals)
        finally:
            self._solver.pop()

    def values(self, variables: Sequence[Variable]) -> dict[Variable, Ground] | bool | None:
        """Return values of variables at which all that is asserted holds; False if none exist, None if unknown."""
        found = self._check(())
        return completed(self._system, variables, values_of(self._solver.model())) if found else found

    def _check(self, literals: Iterable[Variable]) -> bool | None:
        with self._watchdog.guard(self._context):
            answer = self._solver.check(*(z3.Bool(each.name, self._context) for each in literals))
        return {"sat": True, "unsat": False}.get(str(answer))
