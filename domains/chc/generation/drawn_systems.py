"""Systems with a rule of drawn literals, about the theories of questions to parts, and a query at drawn values.

The values are those of the model under which the literals are true, so that the query is reached, or other ones.
"""

from __future__ import annotations

from chcfuzz.domains.chc.generation.projecting_rule import FORMS, ProjectingRule
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.small_formulas.assignments import drawn_model, free_constants
from chcfuzz.grammar.small_formulas.templates import THEORIES, declared_in, drawn_with_model
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Function

DRAWN = "drawn"  # the kind of these systems
_ONE_IN = 3  # further variables that are projected


def drawn_system(theory: str, choices: Choices) -> System:
    """Draw a system about a theory."""
    problem, model = drawn_with_model(theory, choices)
    rule, form = ProjectingRule(problem, _eliminated(problem, choices), model), choices.pick(FORMS)
    if choices.boolean():
        return rule.system(model, "unsat", form)
    others = drawn_model(problem.functions, choices, tuple(model.values()))
    return rule.system(others or model, "", form)


def theories() -> list[str]:
    """Return the theories of systems: those whose symbols are constants."""
    return [name for name in THEORIES if not any(each.parameters for each in declared_in(name).functions)]


def _eliminated(problem: Problem, choices: Choices) -> list[Function]:
    """Draw one constant that occurs, if there is one, and some others."""
    names = free_constants(problem)
    occurring = [each for each in problem.functions if each.name in names]
    if not occurring:
        return []
    first = choices.pick(occurring)
    return [each for each in occurring if each is first or choices.index(_ONE_IN) == 0]
