"""Other forms of one problem: levels, several checks, assumptions, definitions. The last check has the same answer.

Solvers that simplify the assertions of a single check do not do so, or do it in another way, once a script has levels,
assumptions or an earlier check; defined functions are expanded by their readers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.definitions import DefinedFunction, defined
from chcfuzz.grammar.form import AGAIN, ASIDE, ASSUME, BETWEEN, PUSH, TWICE, Checks
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.terms import Quantifier, Term, Variable, free_variables, fresh_name, substitute
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.symbols import taken_names
from chcfuzz.mutators.rewriting.term_rows import anywhere

_MOST_DEFINITIONS = 8
_MOST_BODY = 60  # nodes
_MOST_PARAMETERS = 6
_DEFINE = "smt_shape.define"


def _checked(*kinds: str) -> Callable[[Problem, Choices], Problem | None]:
    """Return a rewrite that gives a problem checks of one of these kinds."""

    def rewrite(problem: Problem, choices: Choices) -> Problem | None:
        if not _may_be_restated(problem):
            return None
        kind = choices.pick(kinds)
        at = 0 if kind == TWICE else choices.index(len(problem.assertions) + (kind == BETWEEN))
        checks = Checks(kind, at)
        return None if checks == problem.form.checks else replace(problem, form=replace(problem.form, checks=checks))

    return rewrite


def _with_definitions(problem: Problem, given: tuple[DefinedFunction, ...]) -> Problem:
    """Return the problem with those of these definitions that its text calls."""
    return replace(problem, form=replace(problem.form, definitions=given)).in_its_form


def _is_body(term: Term) -> bool:
    return 1 < term.size <= _MOST_BODY and not isinstance(term, Quantifier)


def _define(problem: Problem, choices: Choices) -> Problem | None:
    """Define a function whose body is a term with some of its arguments as parameters."""
    known = problem.form.definitions
    places = anywhere(problem, _DEFINE, _is_body)
    if not places or len(known) >= _MOST_DEFINITIONS:
        return None
    term = places.pick(choices).term
    taken = taken_names(problem) | {definition.name for definition in known}
    parameters: list[Variable] = []
    children: list[Term] = []
    for child in term.children:
        if choices.boolean():
            parameters.append(_parameter(child, parameters, taken))
            children.append(parameters[-1])
        else:
            children.append(child)
    body = term.rebuild(children)
    left = [variable for variable in free_variables(body) if variable not in parameters]
    own = {variable: _parameter(variable, parameters, taken, number) for number, variable in enumerate(left)}
    definition = defined(fresh_name("d", taken), (*parameters, *own.values()), substitute(body, own))
    if definition is None or len(definition.parameters) > _MOST_PARAMETERS or definition.arguments(term) is None:
        return None
    result = _with_definitions(problem, (*known, definition))
    return result if definition.name in {each.name for each in result.form.definitions} else None


def _parameter(term: Term, before: list[Variable], taken: set[str], number: int = 0) -> Variable:
    return Variable(fresh_name(f"p{len(before) + number}", taken), term.sort)


def _expand(problem: Problem, choices: Choices) -> Problem | None:
    known = problem.form.definitions
    if not known:
        return None
    gone = choices.index(len(known))
    return _with_definitions(problem, (*known[:gone], *known[gone + 1 :]))


def _may_be_restated(problem: Problem) -> bool:
    """Return whether there are assertions, without attributes other than names, which a restatement would lose."""
    return bool(problem.assertions) and all(len(each.annotations) == bool(each.name) for each in problem.assertions)


def _has_definitions(problem: Problem) -> bool:
    return bool(problem.form.definitions)


def _can_define(problem: Problem) -> bool:
    return len(problem.form.definitions) < _MOST_DEFINITIONS and bool(anywhere(problem, _DEFINE, _is_body))


_SCRIPTS = "SMT-LIB 2.6, section 4.2.3 to 4.2.5: levels, checks and assumptions of one script"
_DEFINITIONS = "SMT-LIB 2.6, section 4.2.3: a defined function is an abbreviation"

MUTATIONS = (
    Mutation(
        "smt_shape.levels",
        Promise.EQUIVALENT,
        "assertions are stated on a level, once more after a check and a pop, or after a level with other ones",
        _SCRIPTS,
        _checked(PUSH, AGAIN, ASIDE),
        _may_be_restated,
        light=True,
    ),
    Mutation(
        "smt_shape.checks",
        Promise.EQUIVALENT,
        "a script has one more check, before its last one or between its assertions",
        _SCRIPTS,
        _checked(TWICE, BETWEEN),
        _may_be_restated,
        light=True,
    ),
    Mutation(
        "smt_shape.assumptions",
        Promise.EQUIVALENT,
        "assertions are implied by new constants, which the check assumes",
        _SCRIPTS,
        _checked(ASSUME),
        _may_be_restated,
        light=True,
    ),
    Mutation(
        _DEFINE,
        Promise.EQUIVALENT,
        "a term, with some of its arguments as parameters, becomes the body of a defined function",
        _DEFINITIONS,
        _define,
        _can_define,
        light=True,
    ),
    Mutation(
        "smt_shape.expand",
        Promise.EQUIVALENT,
        "the calls of a defined function are expanded",
        _DEFINITIONS,
        _expand,
        _has_definitions,
        light=True,
    ),
)
