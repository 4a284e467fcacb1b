"""Models of problems: a value for each constant, and one for all arguments of a function.

They are computed without a solver. A model stays a model of a changed formula if the assertions that became false are
negated, and those that became open are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypeVar

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.literals import literal
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.samples import default_value
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground, array_value, as_term
from chcfuzz.grammar.models.plans import plan_of
from chcfuzz.grammar.models.structures import Evaluation, Structure
from chcfuzz.grammar.models.universes import Result, is_fragile
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.declarations import Definition
from chcfuzz.grammar.sort_kinds import has_literals
from chcfuzz.grammar.sorts import INT, REAL, Sort
from chcfuzz.grammar.terms import FALSE, TRUE, Call, Function, Term, Value, Variable, is_operator, negation, subterms

P = TypeVar("P", bound=Problem)
Values = Mapping[str, Term]
_FUEL = 3  # of a drawn value
_SMALL = (0, 1, 2, 3, -1, -2, 4, 7)
_MOST_STEPS = 4000


def completed(model: Values, problem: Problem) -> tuple[tuple[str, Term], ...]:
    """Return a value for each function of a problem, that of the model or a default; empty if a sort lacks literals."""
    found = []
    for function in problem.functions:
        value = model.get(function.name)
        if value is None or value.sort is not function.result:
            value = some_value(function.result)
        if value is None:
            return ()
        found.append((function.name, value))
    return tuple(found)


def some_value(sort: Sort) -> Term | None:
    """Return a value of a sort; None for a sort whose values no term denotes."""
    return as_term(default_value(sort, lambda _: ()), sort) if has_literals(sort) else None


def structure_of(problem: Problem, model: Values) -> Structure:
    """Return the structure of a model."""
    definitions = {}
    for function in problem.functions:
        if function.name in model:
            names = (f"p!{number}" for number in range(len(function.parameters)))
            parameters = tuple(map(Variable, names, function.parameters))
            definitions[function] = Definition(parameters, model[function.name])
    return Structure(definitions)


class ModelJudgement:
    """The values of formulas under one model."""

    def __init__(self, problem: Problem, model: Values) -> None:
        self._problem, self._model = problem, model
        self._known: dict[Function, Result] = {}

    def truth(self, formula: Term) -> bool | None:
        """Return the value of a formula; None if SMT-LIB, the model or the limits leave it open."""
        value = self._value(formula)
        return value if isinstance(value, bool) else None

    def value(self, term: Term) -> Ground | None:
        """Return the value of a term; None if it is open."""
        value = self._value(term)
        return None if value is UNDETERMINED else value

    @cached_property
    def _strict(self) -> Evaluation:
        return Evaluation(structure_of(self._problem, self._model), most_steps=_MOST_STEPS)

    def _value(self, term: Term) -> Result:
        plan = plan_of(term)
        return self._strict.value(term) if plan is None else plan.value(self._of_function)

    def _of_function(self, function: Function) -> Result:
        """Return the value of a function, the same for all arguments; UNDETERMINED without one."""
        if function not in self._known:
            self._known[function] = self._computed(function)
        return self._known[function]

    def _computed(self, function: Function) -> Result:
        term = self._model.get(function.name)
        if term is None or function not in self._problem.functions or any(map(is_fragile, function.parameters)):
            return UNDETERMINED
        value = _value_of_literal(term)
        return self._strict.value(term) if value is None else value


@lru_cache(maxsize=4096)
def _value_of_literal(term: Term) -> Result | None:
    """Return the value of a term, which all models share; None if it depends on functions."""
    plan = plan_of(term)
    return plan.value(lambda _: UNDETERMINED) if plan is not None and plan.is_constant else None


def is_model(problem: Problem, model: Values) -> bool:
    """Return whether every assertion is true, whatever SMT-LIB leaves open."""
    judgement = ModelJudgement(problem, model)
    return all(judgement.truth(formula) is True for formula in problem.formulas)


def oriented(problem: P, model: Values) -> P | None:
    """Return the problem whose assertions are true in the model: false ones are negated, open ones left out.

    None without an assertion that is more than a truth value.
    """
    judgement, found = ModelJudgement(problem, model), []
    for assertion in problem.assertions:
        truth = judgement.truth(assertion.formula)
        if truth is not None:
            formula = assertion.formula if truth else negation(assertion.formula)
            found.append(replace(assertion, formula=formula))
    if all(each.formula in (TRUE, FALSE) for each in found):
        return None
    return problem.with_assertions(found)


def true_formulas(problem: Problem, model: Values) -> int:
    """Return how many formulas of a problem are true in a model."""
    judgement = ModelJudgement(problem, model)
    return sum(judgement.truth(formula) is True for formula in problem.formulas)


def turned_to_equalities(problem: Problem, model: dict[str, Term]) -> dict[str, Term]:
    """Return a model in which more formulas are true, as far as single constants can be changed for it.

    A constant in a false equality gets the value of the other side: drawn arrays and data types are rarely equal.
    """
    best, most = model, true_formulas(problem, model)
    for formula in problem.formulas:
        for changed in _changes_for(formula, problem, best):
            count = true_formulas(problem, changed)
            if count > most:
                best, most = changed, count
                break
    return best


def _changes_for(formula: Term, problem: Problem, model: dict[str, Term]) -> Iterator[dict[str, Term]]:
    """Yield models in which a constant has the value of a side of an equality in a false formula."""
    judgement = ModelJudgement(problem, model)
    if judgement.truth(formula) is not False:
        return
    equal = [each for each in subterms(formula) if is_operator(each, "=")]
    for equality in equal:
        for side in equality.children:
            value = judgement.value(side)
            if value is None:
                continue
            for other in equality.children:
                names = (here for here in subterms(other) if isinstance(here, Call) and not here.children)
                for constant in names:
                    if constant.sort is side.sort and other is not side:
                        yield {**model, constant.function.name: as_term(value, side.sort)}


def drawn_value(sort: Sort, choices: Choices, known: Sequence[Term] = ()) -> Term | None:
    """Draw a value of a sort, half the time one of the `known` ones; None for a sort without values."""
    fitting = [value for value in known if value.sort is sort]
    if fitting and choices.boolean():
        return choices.pick(fitting)
    return as_term(_small(sort, choices, known), sort) if has_literals(sort) else None


def _small(sort: Sort, choices: Choices, known: Sequence[Term]) -> Ground:
    """Draw a value with small numbers: solvers treat large ones alike, and small ones are equal more often."""
    if sort is INT:
        return choices.pick(_SMALL)
    if sort is REAL:
        return Fraction(choices.pick(_SMALL), choices.pick((1, 1, 2)))
    if sort.is_array:
        entries = {
            _part(sort.index, choices, known): _part(sort.element, choices, known) for _ in range(choices.index(3))
        }
        return array_value(sort.index, _part(sort.element, choices, known), entries)
    return evaluate(literal(sort, choices, _FUEL), {})  # type: ignore[return-value]


def _part(sort: Sort, choices: Choices, known: Sequence[Term]) -> Ground:
    value = drawn_value(sort, choices, known)
    return evaluate(value, {}) if value is not None else default_value(sort, lambda _: ())  # type: ignore[return-value]


def free_constants(problem: Problem) -> tuple[str, ...]:
    """Return the names of the constants that occur, in the order of their declarations."""
    used = {here.function for here in subterms(*problem.formulas) if isinstance(here, Call)}
    return tuple(each.name for each in problem.functions if each in used and not each.parameters)


def constants_of(problem: Problem) -> tuple[Term, ...]:
    """Return the values in the formulas of a problem, each once."""
    found = (term for term in subterms(*problem.formulas) if isinstance(term, Value))
    return tuple(dict.fromkeys(found))


def drawn_model(functions: Sequence[Function], choices: Choices, known: Sequence[Term] = ()) -> dict[str, Term] | None:
    """Draw a value for each function; None for a sort without values."""
    found: dict[str, Term] = {}
    for function in functions:
        value = drawn_value(function.result, choices, [*known, *found.values()])
        if value is None:
            return None
        found[function.name] = value
    return found


def found_models(problem: Problem, choices: Choices, tries: int) -> Iterator[dict[str, Term]]:
    """Yield models of a problem among drawn values."""
    known = constants_of(problem)
    for _ in range(tries):
        model = drawn_model(problem.functions, choices, known)
        if model is None:
            return
        if is_model(problem, model):
            yield model
