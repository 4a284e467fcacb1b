"""The search for values that show a violation: neighbours of the model, and models that Z3 gives.

The evaluator decides at each of them; all choices come from the text of the question, so the search repeats.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property

import z3
from chcfuzz.domains.interpolation.solvers.quick_z3 import Queries
from chcfuzz.domains.parts.oracles.model_values import values_of
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.smt.oracles import model as smt_model
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import Evaluation
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.small_formulas.assignments import constants_of, drawn_model, drawn_value, is_model
from chcfuzz.grammar.sorts import INT, REAL
from chcfuzz.grammar.terms import Call, Function, Term, Value, integer, real
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.model_text import standard
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.triage.shrink.arguments import mapped

RLIMIT = 200_000  # of a query
_WHOLE = 4  # one model in this number is drawn as a whole
_NEAR = (-2, -1, 1, 2)
Values = dict[str, Term]


def neighbours(problem: PartProblem, functions: tuple[Function, ...], count: int) -> Iterator[Values]:
    """Yield `count` models that differ from the given one in one to three functions, or in all of them."""
    digest = hashlib.blake2b(repr((problem.formulas, problem.question)).encode(), digest_size=16).digest()
    choices, base = Choices(b"", digest), dict(problem.question.model)
    known = [*constants_of(problem), *base.values()]
    if not functions:
        return
    for _ in range(count):
        values = dict(base) or drawn_model(problem.functions, choices, known)
        if values is None:
            return
        changed = [choices.pick(functions) for _ in range(1 + choices.index(3))]
        for function in changed if choices.index(_WHOLE) else functions:
            value = _near(values.get(function.name), choices) or drawn_value(function.result, choices, known)
            if value is not None:
                values[function.name] = value
        yield values


def _near(value: Term | None, choices: Choices) -> Term | None:
    """Return a number near a number, half the time."""
    if not isinstance(value, Value) or value.sort not in (INT, REAL) or choices.boolean():
        return None
    by = choices.pick(_NEAR)
    return integer(value.value + by) if value.sort is INT else real(value.value + by)  # type: ignore[arg-type]


def at_values(term: Term, values: Mapping[str, Term]) -> Term:
    """Return a term with values in the place of functions that have one value."""

    def build(here: Term, children: tuple[Term, ...]) -> Term:
        if isinstance(here, Call) and here.function.name in values:
            return values[here.function.name]
        return here.rebuild(children)

    return mapped(term, build)  # type: ignore[arg-type]


class SecondProject:
    """Z3 in this process and cvc5: if both agree that a formula is unsatisfiable, it counts as that."""

    def __init__(self, watchdog: Watchdog, rlimit: int = RLIMIT) -> None:
        self._watchdog, self._rlimit = watchdog, rlimit

    @cached_property
    def _queries(self) -> Queries:
        """All queries of a judgement have one context: a new one takes longer than most of them."""
        return Queries(self._watchdog, self._rlimit, z3.Context())

    def model(self, problem: Problem) -> Values | None:
        """Return the constants of a model by Z3 in which our evaluator finds every assertion true; None without one."""
        model = self._queries.model(problem)[1]
        if model is None:
            return None
        values = values_of(model, problem)
        if values is not None and is_model(problem, values):
            return values
        text = standard(model.sexpr())  # it has what the model states about functions and divisions by zero
        return values_in(problem, text) if smt_model.check_text(problem, text).kind is VerdictKind.PASS else None

    def answer(self, problem: Problem) -> tuple[str, Values]:
        """Return Z3's answer, or an error, and the constants of its model; nothing has checked the assertions in it."""
        answer, model = self._queries.model(problem)
        if model is None:
            return answer, {}
        values = values_of(model, problem)
        return answer, values_in(problem, standard(model.sexpr())) if values is None else values

    def is_unsat(self, problem: Problem) -> bool:
        """Return whether Z3 answers unsat."""
        return self._queries.model(problem)[0] == "unsat"

    def answers_of_cvc5(self, script: str) -> tuple[str, ...]:
        """Return the answers of cvc5 to the checks of a script."""
        return second_solver.answers(script)


def values_in(problem: Problem, model: str) -> Values:
    """Return the values of the constants in a printed model, as far as they are values."""
    from chcfuzz.grammar.evaluation.values import UNDETERMINED, as_term, has_sort

    try:
        evaluation = Evaluation(read_model(model, problem), is_complete=True)
    except ChcfuzzError:
        return {}
    found: Values = {}
    for function in problem.functions:
        value = UNDETERMINED if function.parameters else evaluation.value(Call(function))
        if value is not UNDETERMINED and has_sort(value, function.result):
            found[function.name] = as_term(value, function.result)
    return found
