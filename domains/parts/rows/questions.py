"""Rows that change the question: its part, its variables or names, its model, its options, and conjuncts for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chcfuzz.domains.parts.drawing import drawn_formula, drawn_question_problem, drawn_subjects, theories_of
from chcfuzz.domains.parts.question import NAMES, PARTS, VARIABLES, PartProblem
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Assertion
from chcfuzz.grammar.small_formulas.assignments import (
    constants_of,
    drawn_model,
    drawn_value,
    free_constants,
    is_model,
    oriented,
)
from chcfuzz.grammar.terms import negation
from chcfuzz.mutators.mutation import Mutation, Need, Promise

QUESTIONS: Need[PartProblem] = Need("questions")
_MOST_ASSERTIONS = 12
_MOST_NAMES = 2
_TRIES = 6
_SOURCE = "docs/parts.md"
Rewrite = Callable[[PartProblem, Choices], PartProblem | None]


def _variables(problem: PartProblem, choices: Choices) -> PartProblem | None:
    """Add a variable to the subjects, or leave one out."""
    question = problem.question
    name = choices.pick(free_constants(problem))
    subjects = (*question.subjects, name)
    if name in question.subjects:
        subjects = tuple(each for each in question.subjects if each != name)
    changed = problem.asking(replace(question, subjects=subjects))
    return changed if changed.is_askable else None


def _has_variables(problem: PartProblem) -> bool:
    return problem.question.kind.subjects == VARIABLES and bool(free_constants(problem))


def _has_names(problem: PartProblem) -> bool:
    return problem.question.kind.subjects == NAMES


def _has_options(problem: PartProblem) -> bool:
    return bool(problem.question.kind.options)


def _another_part(chosen: Sequence[str]) -> Rewrite:
    def rewrite(problem: PartProblem, choices: Choices) -> PartProblem | None:
        question, part = problem.question, PARTS[choices.pick(chosen)]
        subjects = question.subjects
        if question.kind.subjects != part.subjects or question.kind.names != part.names:
            subjects = drawn_subjects(part, problem, choices)
        changed = problem.asking(replace(question, part=part.name, subjects=subjects, options=()))
        return changed if changed.is_askable and changed != problem else None

    return rewrite


def _another_name(problem: PartProblem, choices: Choices) -> PartProblem | None:
    """Exchange the name of a tactic or simplifier, or add one."""
    question, names = problem.question, list(problem.question.subjects)
    place = choices.index(len(names) + (len(names) < _MOST_NAMES))
    names[place : place + 1] = [choices.pick(question.kind.names)]
    changed = problem.asking(replace(question, subjects=tuple(names)))
    return changed if changed != problem else None


def _another_option(problem: PartProblem, choices: Choices) -> PartProblem | None:
    """Give an option another value, or leave it out."""
    question, known = problem.question, problem.question.kind.options
    name = choices.pick(tuple(known))
    values = {**dict(question.options), name: choices.pick(("", *known[name]))}
    options = tuple((each, value) for each, value in values.items() if value)
    changed = problem.asking(replace(question, options=options))
    return changed if changed != problem else None


def _refuted(problem: PartProblem, choices: Choices) -> PartProblem | None:
    """Add the negation of an assertion, and leave the model out."""
    added = Assertion(negation(choices.pick(problem.assertions).formula))
    changed = problem.with_assertions((*problem.assertions, added))
    return changed.asking(replace(problem.question, model=()))


def _can_be_refuted(problem: PartProblem) -> bool:
    return not problem.question.kind.needs_model and 0 < len(problem.assertions) < _MOST_ASSERTIONS


def _another_model(problem: PartProblem, choices: Choices) -> PartProblem | None:
    """Draw other values until all assertions are true."""
    question, known = problem.question, constants_of(problem)
    for _ in range(_TRIES):
        model = dict(question.model)
        for _ in range(1 + choices.index(2)):
            function = choices.pick(problem.functions)
            model[function.name] = drawn_value(function.result, choices, known) or model[function.name]
        if model != dict(question.model) and is_model(problem, model):
            return problem.asking(replace(question, model=tuple(model.items())))
    return None


def _other_values(problem: PartProblem, choices: Choices) -> PartProblem | None:
    """Draw a whole model, and negate the assertions that it falsifies."""
    model = drawn_model(problem.functions, choices, constants_of(problem))
    turned = None if model is None else oriented(problem, model)
    if turned is None or model is None:
        return None
    changed = turned.asking(replace(problem.question, model=tuple(model.items())))
    return changed if changed != problem and changed.is_askable else None


def _drawn(is_later: bool) -> Rewrite:
    """Return a rewrite that draws another question to the same part, whatever the formula was."""

    def rewrite(problem: PartProblem, choices: Choices) -> PartProblem | None:
        kind = problem.question.kind
        found = drawn_question_problem(choices, kind.name, choices.pick(theories_of(kind, is_later)))
        return found if found != problem and found.question.part == kind.name else None

    return rewrite


def _has_model(problem: PartProblem) -> bool:
    return bool(problem.question.model)


def _conjunct(problem: PartProblem, choices: Choices) -> PartProblem | None:
    """Add a drawn formula, which is true in the model if there is one."""
    added = problem.with_assertions((*problem.assertions, Assertion(drawn_formula(problem, choices))))
    model = dict(problem.question.model)
    changed = oriented(added, model) if model else added
    return None if changed == problem else changed


def mutations(parts: Sequence[str] = ()) -> tuple[Mutation, ...]:
    """Return the rows; questions go to some `parts`, or to all."""
    first = tuple(parts) or _of_generation(0)
    later, latest = (_of_generation(number, parts) for number in (1, 2))
    return (
        _row("variables", "a variable is eliminated too, or not", _variables, _has_variables),
        _row("another-part", "the question goes to another part", _another_part(first), lambda _problem: True),
        _row("another-model", "another model of the formula", _another_model, _has_model),
        _row("other-values", "other values, and literals that are true there", _other_values, _has_model),
        _row("conjunct", "another literal that is true in the model", _conjunct, _is_small),
        _row("later-part", "the question goes to a later part", _another_part(later), lambda _problem: bool(later)),
        _row(
            "latest-part",
            "the question goes to one of the latest parts",
            _another_part(latest),
            lambda _problem: bool(latest),
        ),
        _row("another-name", "another tactic or simplifier", _another_name, _has_names),
        _row("another-option", "another option of the same part", _another_option, _has_options),
        _row("drawn", "another question to the same part, drawn", _drawn(is_later=False), lambda _problem: True),
        _row("drawn-later", "another question about a later theory", _drawn(is_later=True), _has_later_theories),
        _row("refuted", "an assertion and its negation, without a model", _refuted, _can_be_refuted),
    )


def _of_generation(number: int, among: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the parts of a generation, or those of them that are among some."""
    return tuple(name for name, part in PARTS.items() if part.generation == number and name in (among or PARTS))


def _has_later_theories(problem: PartProblem) -> bool:
    return bool(theories_of(problem.question.kind, is_later=True))


def _is_small(problem: PartProblem) -> bool:
    return bool(problem.functions) and len(problem.assertions) < _MOST_ASSERTIONS


def _row(name: str, words: str, rewrite: Rewrite, applies: Callable[[PartProblem], bool]) -> Mutation:
    def guarded(problem: PartProblem, choices: Choices) -> PartProblem | None:
        # In a chain, a step may meet a question to which it no longer applies, because another step was left out.
        return rewrite(problem, choices) if applies(problem) else None

    return Mutation(f"parts.{name}", Promise.NOTHING, words, _SOURCE, guarded, applies, light=True, needs=QUESTIONS)
