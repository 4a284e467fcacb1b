"""Queries to Z3's SMT solver about the parts of one problem, each in a context of its own if no other is given.

In a shared context, an answer depended on the queries before it: of eight about paths of one nonlinear problem, two
that are sat within 19,000 units alone were undecided after 20,000. With a context of its own, what a nonlinear query
takes still depends on what the process did before: 30,241 units or 51,040 for one and the same.

The queries are small, so they go to the SMT core itself (`SimpleSolver`): of 4,738 it left 27 undecided. Z3's choice of
a tactic (`Solver`) left 31 undecided and took more than twice the time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TypeVar

import z3
from cachetools import LRUCache
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.terms import Term, is_operator, negation
from chcfuzz.solvers.model_text import standard
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import message

T = TypeVar("T")
_MOST_REFUTED = 1 << 14  # queries, of 16 bytes each
_refuted: LRUCache[bytes, bool] = LRUCache(_MOST_REFUTED)


class Queries:
    """Queries within `rlimit` units each.

    Mutants of one seed share groups, so two of five implications were refuted before, which this process remembers if
    the query had a context of its own.
    """

    def __init__(self, watchdog: Watchdog, rlimit: int, context: z3.Context | None = None) -> None:
        """Let the watchdog stop a query that ignores its limit. All queries share a context that is given."""
        self._watchdog = watchdog
        self._rlimit = rlimit
        self._context = context

    def answer(self, problem: Problem) -> tuple[str, str]:
        """Return "sat", "unsat", "unknown" or an error, and the model for sat."""
        text = _text_of(problem)
        key = hashlib.blake2b(f"{self._rlimit} {text}".encode(), digest_size=16).digest()
        if self._context is None and _refuted.get(key):
            return "unsat", ""
        answer, model = self._ask(text, lambda solver: standard(solver.model().sexpr()), "")
        if self._context is None and answer == "unsat":
            _refuted[key] = True
        return answer, model

    def quick_answer(self, problem: Problem) -> str:
        """Return the answer without a model, and without the search for models of quantifiers, which takes most time.

        For the 380 sides of `corpus-itp/`, a check takes 0.6 ms instead of 2.6, and 45 instead of 18 are undecided.
        """
        return self._ask(_text_of(problem), lambda _: "", "", mbqi=False)[0]

    def model(self, problem: Problem) -> tuple[str, z3.ModelRef | None]:
        """Return the answer, and Z3's own model for sat."""
        return self._ask(_text_of(problem), z3.Solver.model, None)

    def _ask(self, text: str, read: Callable[[z3.Solver], T], nothing: T, **settings: bool) -> tuple[str, T]:
        context = self._context or z3.Context()
        with self._watchdog.guard(context):
            try:
                solver = z3.SimpleSolver(ctx=context)
                solver.set(rlimit=self._rlimit, ctrl_c=False, **settings)  # the signal is for the campaign
                solver.from_string(text)
                answer = solver.check()
                return str(answer), read(solver) if answer == z3.sat else nothing
            except z3.Z3Exception as error:
                return f"an error: {message(error)}", nothing


def _text_of(problem: Problem) -> str:
    separate = problem.with_assertions(tuple(map(Assertion, conjuncts(problem.formulas))))
    return print_problem(separate.with_header((), ()))


def conjuncts(formulas: Sequence[Term]) -> list[Term]:
    """Return the conjuncts of formulas, each once.

    Z3 splits an assertion into its conjuncts along every path (`goal::quick_process`), and then ignores its limits: the
    interpolants of Bitwuzla share subterms so much that they have 10^20 paths.
    """
    found: dict[Term, None] = {}
    seen: set[tuple[Term, bool]] = set()
    stack = [(formula, True) for formula in reversed(formulas)]
    while stack:
        here, is_positive = stack.pop()
        if (here, is_positive) in seen:
            continue
        seen.add((here, is_positive))
        if is_operator(here, "not"):
            stack.append((here.children[0], not is_positive))
        elif is_operator(here, "and" if is_positive else "or"):
            stack += [(child, is_positive) for child in reversed(here.children)]
        else:
            found[here if is_positive else negation(here)] = None
    return list(found)
