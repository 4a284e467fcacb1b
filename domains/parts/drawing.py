"""Questions that are drawn: a few literals over the constants of one theory, true in a drawn model.

Units with the row `parts.drawn` draw again, so a change here changes these.
"""

from __future__ import annotations

from collections.abc import Mapping

from chcfuzz.domains.parts.question import (
    NAMES,
    PARTS,
    VARIABLES,
    PartProblem,
    PartQuestion,
    SolverPart,
)
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Assertion, Pairs, Problem
from chcfuzz.grammar.small_formulas.templates import THEORIES, declared_in, drawn_with_model
from chcfuzz.grammar.terms import Term, negation

_EVEN = {True: 4, False: 4}  # for rows, whose units keep their meaning
_ARRAYS_FIRST = {True: 2, False: 4}  # projections of several arrays at once are wrong more often
_DRAWN = tuple(part for part in PARTS.values() if part.generation < 2)  # units name those by position


def drawn_question_problem(choices: Choices, part: str = "", theory: str = "") -> PartProblem:
    """Draw a question, to a part and about a theory if they are given."""
    kind = PARTS[part] if part else choices.pick(_DRAWN)
    theory = theory or choices.pick(theories_of(kind, is_later=False))
    found, model = drawn_with_model(theory, choices)
    subjects = drawn_subjects(kind, found, choices, _ARRAYS_FIRST)
    if kind.needs_unsat:
        against = Assertion(negation(found.formulas[0]))
        return PartProblem.of(found.with_assertions((*found.assertions, against)), PartQuestion(kind.name, subjects))
    options = _drawn_options(kind, choices)
    drawn = PartProblem.of(found, PartQuestion(kind.name, subjects, tuple(model.items()), options))
    return drawn if drawn.is_askable else drawn.asking(PartQuestion("implicant", (), tuple(model.items())))


def theories_of(kind: SolverPart, is_later: bool) -> list[str]:
    """Return the theories of questions to a part: those that rows choose by their position, or the later ones."""
    of_part = (name for name in THEORIES if not kind.theories or kind.theories >= declared_in(name).theories)
    return [name for name in of_part if THEORIES[name].is_later == is_later]


def drawn_formula(problem: Problem, choices: Choices) -> Term:
    """Draw a formula over the symbols of a problem."""
    from chcfuzz.grammar.drawing.draw import Drawing
    from chcfuzz.grammar.drawing.draw_problem import WEIGHTS
    from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
    from chcfuzz.grammar.errors import LimitError
    from chcfuzz.grammar.reading.leniences import as_read
    from chcfuzz.grammar.terms import TRUE

    drawing = Drawing(DrawingScope((), tuple(problem.formulas), problem.functions, True), WEIGHTS)
    try:
        return as_read(drawing.condition(choices, choices.pick((2, 3, 4, 5))))
    except LimitError:
        return TRUE


def _drawn_options(part: SolverPart, choices: Choices) -> Pairs:
    """Draw a value of one option, half the time; none for tactics, whose options differ from one to the other."""
    if not part.options or part.subjects == NAMES or choices.boolean():
        return ()
    name = choices.pick(tuple(part.options))
    return ((name, choices.pick(part.options[name])),)


def drawn_subjects(
    part: SolverPart, problem: Problem, choices: Choices, one_in: Mapping[bool, int] = _EVEN
) -> tuple[str, ...]:
    """Draw the variables, or the names, that a question to a part has.

    `one_in` has the mean distance of further variables, for arrays and for other sorts.
    """
    if part.subjects == NAMES:
        return tuple(choices.pick(part.names) for _ in range(1 + choices.boolean()))
    free = part.variables_in(problem)
    if part.subjects != VARIABLES or not free:
        return ()
    first = choices.index(len(free))
    needed = {free[(first + number) % len(free)].name for number in range(part.least)}
    return tuple(each.name for each in free if each.name in needed or not choices.index(one_in[each.result.is_array]))
