"""Z3's model of the problem, used to change it: the mutants have the same model, so they are satisfiable as well.

Z3 solves the problem in a fresh context with few resources. A model counts only if our evaluator finds every assertion
true in it, so that an error of Z3 breaks no promise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from chcfuzz.domains.smt.rows.subterm import WEIGHTS
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluation.values import UNDETERMINED, as_term
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import Evaluation, Structure, judge
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.leniences import as_read
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Call, Term, apply, conjunction, negation
from chcfuzz.mutators.mutation import Kind, Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.functions import inserted
from chcfuzz.mutators.rewriting.term_rows import anywhere, put
from chcfuzz.solvers.watchdog import Watchdog

RLIMIT = 20_000
_WALL_SECONDS = 30  # behind the resource limit
_MOST_NODES = 1_000  # of a problem that is solved
_MOST_VALUES = 3  # that are asserted at once
_FUEL = 6

Rewrite = Callable[[Problem, Structure, Choices], Problem | None]


@cache
def _z3() -> Engine:
    from chcfuzz.domains.smt.solvers.z3 import Z3

    return Z3(Watchdog(_WALL_SECONDS))


@lru_cache(maxsize=256)
def model_of(problem: Problem) -> Structure | None:
    """Return Z3's model if our evaluator finds each assertion true in it."""
    outcome = _z3().solve(print_problem(problem.with_header((), ())), (), RLIMIT)
    if outcome.model is None:
        return None
    try:
        structure = read_model(outcome.model.definitions, problem)
        return structure if all(judge(problem, structure)) else None
    except ChcfuzzError:
        return None


def _parameters(sort: Sort) -> list[Sort]:
    return [each for each in sort.parameters if isinstance(each, Sort)]


def _has_values(sort: Sort) -> bool:
    """Return whether values of the sort can be written in a problem: no arrays, no uninterpreted elements."""
    if sort.is_array or sort.is_uninterpreted or not all(map(_has_values, _parameters(sort))):
        return False
    group = sort.datatype.group if sort.datatype else ()
    own = {datatype.sort for datatype in group}
    fields = (field.sort for datatype in group for made in datatype.constructors for field in made.selectors)
    return all(field in own or _has_values(field) for field in fields)


def _value(call: Term, structure: Structure) -> Term | None:
    """Return the value of a constant as a term; None if it is open or cannot be written."""
    value = Evaluation(structure, is_complete=True).value(call) if _has_values(call.sort) else UNDETERMINED
    return None if value is UNDETERMINED else as_read(as_term(value, call.sort))


def _equations(problem: Problem, structure: Structure, choices: Choices) -> list[Term]:
    """Return equations of some constants with their values."""
    constants = [Call(function) for function in problem.functions if not function.parameters]
    found = []
    for number in choices.permutation(len(constants))[: choices.integer(1, _MOST_VALUES)]:
        value = _value(constants[number], structure)
        if value is not None:
            found.append(apply("=", constants[number], value))
    return found


def _assert_values(problem: Problem, structure: Structure, choices: Choices) -> Problem | None:
    equations = _equations(problem, structure, choices)
    return inserted(problem, conjunction(*equations), choices) if equations else None


def _block(problem: Problem, structure: Structure, choices: Choices) -> Problem | None:
    """Assert that some constants do not all have their values."""
    equations = _equations(problem, structure, choices)
    return inserted(problem, negation(conjunction(*equations)), choices) if equations else None


def _plug(problem: Problem, structure: Structure, choices: Choices) -> Problem | None:
    """Replace an occurrence of a constant by its value."""
    found = anywhere(problem, "smt_models.constants", _is_constant)
    if not found:
        return None
    place = found.pick(choices)
    value = _value(place.term, structure)
    return None if value is None else put(problem, place, value)


def _is_constant(term: Term) -> bool:
    return isinstance(term, Call) and not term.children and _has_values(term.sort)


def _assert_true(problem: Problem, structure: Structure, choices: Choices) -> Problem | None:
    """Assert a drawn formula, or its negation, whichever the model makes true."""
    scope = DrawingScope.within(problem, choices.index(len(problem.assertions)), ())
    drawn = as_read(Drawing(scope, WEIGHTS).condition(choices, _FUEL))
    value = Evaluation(structure, is_complete=True).value(drawn)
    if not isinstance(value, bool):
        return None
    return inserted(problem, drawn if value else negation(drawn), choices)


def _row(name: str, promise: Promise, summary: str, rewrite: Rewrite) -> Mutation:
    def rewritten(problem: Problem, choices: Choices) -> Problem | None:
        structure = model_of(problem) if applies(problem) else None
        return None if structure is None else rewrite(problem, structure, choices)

    def applies(problem: Problem) -> bool:
        return problem.status != "unsat" and bool(problem.assertions) and problem.nodes <= _MOST_NODES

    source = "Storm (ESEC/FSE 2020) and Janus (ASE 2022): mutants that are satisfiable by construction"
    return Mutation(
        f"smt_models.{name}",
        promise,
        summary,
        source,
        rewritten,
        applies,
        kind=Kind.INTERROGATION,
        needs=Needs.CHECK_SAT,
    )


MUTATIONS = (
    _row("assert-values", Promise.SAT_PRESERVING, "values of constants in a model are asserted", _assert_values),
    _row("assert-true", Promise.SAT_PRESERVING, "a drawn formula that holds in a model is asserted", _assert_true),
    _row("plug", Promise.SAT_PRESERVING, "a constant becomes its value in a model", _plug),
    _row("block", Promise.NOTHING, "values of constants in a model are excluded", _block),
)
