"""Z3 as the judge of claims: consistency of formulas under a resource limit, one incremental solver for each rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import z3
from chcfuzz.domains.chc.oracles.counterexample import completed, values_of
from chcfuzz.domains.chc.oracles.rule import equal
from chcfuzz.grammar.evaluation.values import Ground
from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Term, Variable, free_variables, negation
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import OUT_OF_RESOURCES

RLIMIT = 1_000_000  # for each question, in Z3's units; a lemma of the seeds takes 1,000 to 10,000
HARD = 50_000  # a question that takes more is hard
OPTIONAL = 10_000  # for a question that may be left open


class Prover:
    """Z3 context in which all claims about one run are checked, with the data types of its system declared."""

    def __init__(self, system: System, watchdog: Watchdog) -> None:
        self._system = system
        self.watchdog = watchdog
        self._context = z3.Context()
        self._sorts: dict[str, z3.SortRef] = {}
        self._formulas: dict[Term, z3.BoolRef] = {}
        self.hard = 0  # number of questions so far that were hard
        for group in system.datatypes:
            self._declare(print_datatypes(group), [datatype.name for datatype in group])

    def _declare(self, text: str, names: Sequence[str]) -> None:
        """Learn the sorts of a group of data types; Z3 finds their constructors and selectors in them."""
        declared = (f"(declare-const d!{i} {quoted(name)})(assert (= d!{i} d!{i}))" for i, name in enumerate(names))
        for name, equality in zip(names, self._read("".join((text, *declared))), strict=True):
            self._sorts[name] = equality.arg(0).sort()

    def _read(self, text: str) -> z3.AstVector:
        return z3.parse_smt2_string(text, self._sorts, ctx=self._context)

    def solver(self) -> IncrementalSolver:
        """Return a solver without assertions."""
        return IncrementalSolver(self, self._system, self.watchdog, self._context)

    def formula(self, term: Term) -> z3.BoolRef:
        """Return a formula for Z3, cached; raises `z3.Z3Exception` for a text that it does not read."""
        if term not in self._formulas:
            declared = "".join(f"(declare-const {quoted(each.name)} {each.sort})" for each in free_variables(term))
            self._formulas[term] = self._read(f"{declared}(assert {print_term(term)})")[0]
        return self._formulas[term]

    def constant(self, variable: Variable) -> z3.ExprRef:
        """Return a variable for Z3."""
        name = quoted(variable.name)
        return self._read(f"(declare-const {name} {variable.sort})(assert (= {name} {name}))")[0].arg(0)


class IncrementalSolver:
    """Solver that keeps its assertions, and decides whether further formulas are consistent with them."""

    def __init__(self, prover: Prover, system: System, watchdog: Watchdog, context: z3.Context) -> None:
        self._prover = prover
        self._system = system
        self._watchdog = watchdog
        self._context = context
        self._solver = z3.Solver(ctx=context)
        self._rlimit = 0

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

    def has_few_models(self, variables: Sequence[Variable], few: int) -> bool:
        """Return whether some, but at most `few`, values of variables are consistent with all that is asserted."""
        names = [self._prover.constant(each) for each in variables]
        for number in range(few + 1):
            found = self._check(())
            if not found:
                return number > 0 and found is False
            model = self._solver.model()
            self._solver.add(z3.Or([name != model.eval(name, model_completion=True) for name in names]))
        return False

    def exclude(self, values: Mapping[Variable, Ground]) -> None:
        """Assert that variables do not have these values together."""
        self.add(negation(equal(tuple(values), tuple(values.values()))))

    def values(self, variables: Sequence[Variable], is_optional: bool = False) -> dict[Variable, Ground] | bool | None:
        """Return values of variables at which all that is asserted holds; False if none exist, None if unknown.

        A question that `is_optional` has a lower limit.
        """
        found = self._answer((), OPTIONAL) if is_optional else self._check(())
        return completed(self._system, variables, values_of(self._solver.model())) if found else found

    def _check(self, literals: Iterable[Variable]) -> bool | None:
        """Decide under literals; a question that the limit of hard ones ends is repeated."""
        assumed = [self._prover.formula(each) for each in literals]
        answer = self._answer(assumed, HARD)
        if answer is None and str(self._solver.reason_unknown()) in OUT_OF_RESOURCES:
            self._prover.hard += 1
            answer = self._answer(assumed, RLIMIT)
        return answer

    def _answer(self, assumed: Sequence[z3.BoolRef], rlimit: int) -> bool | None:
        if self._rlimit != rlimit:
            self._solver.set("rlimit", rlimit)
            self._rlimit = rlimit
        with self._watchdog.guard(self._context):
            answer = self._solver.check(*assumed)
        return {z3.sat.r: True, z3.unsat.r: False}.get(answer.r)
