"""The reduction of a part problem under a test: its question, then the passes of SMT problems.

A smaller formula keeps the model: candidates that it falsifies are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.question_text import printed, read
from chcfuzz.domains.smt.passes import PASSES as SMT_PASSES
from chcfuzz.domains.smt.passes import size
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.small_formulas.assignments import is_model, some_value
from chcfuzz.triage.shrink.result import Shrunk, improve
from chcfuzz.triage.shrink.search import CandidateCounts, Edits, InputTest, Search, edits_in_turns
from chcfuzz.triage.shrink.size import Size

QuestionPass = Edits[PartProblem, Any]


def _subjects(problem: PartProblem) -> Sequence[int]:
    return range(len(problem.question.subjects))


def _without_subjects(problem: PartProblem, gone: Sequence[int]) -> PartProblem:
    left = tuple(name for number, name in enumerate(problem.question.subjects) if number not in set(gone))
    return problem.asking(replace(problem.question, subjects=left))


def _options(problem: PartProblem) -> Sequence[int]:
    return range(len(problem.question.options))


def _without_options(problem: PartProblem, gone: Sequence[int]) -> PartProblem:
    left = tuple(pair for number, pair in enumerate(problem.question.options) if number not in set(gone))
    return problem.asking(replace(problem.question, options=left))


def _values(problem: PartProblem) -> Sequence[int]:
    return range(len(problem.question.model))


def _simple_values(problem: PartProblem, changed: Sequence[int]) -> PartProblem:
    """Return the problem with the first values of the sorts in the model."""
    model = [
        (name, (some_value(value.sort) or value) if number in set(changed) else value)
        for number, (name, value) in enumerate(problem.question.model)
    ]
    return problem.asking(replace(problem.question, model=tuple(model)))


PASSES: tuple[QuestionPass, ...] = (
    Edits("drop subjects", _subjects, _without_subjects),
    Edits("drop options", _options, _without_options),
    *(cast(QuestionPass, each) for each in SMT_PASSES),
    Edits("simple values", _values, _simple_values),
)


def measure(problem: PartProblem) -> Size:
    """Return the size of a problem: subjects, options, and the nodes of the model count as notes."""
    plain, question = size(problem), problem.question
    notes = len(question.subjects) + len(question.options) + sum(value.size for _, value in question.model)
    return plain._replace(notes=plain.notes + notes)


def is_sound(problem: PartProblem) -> bool:
    """Return whether the question fits, its model is one, and the text parses back to the problem."""
    model = dict(problem.question.model)
    if not problem.is_askable or not problem.assertions or (model and not is_model(problem, model)):
        return False
    try:
        return read(printed(problem), "problem") == problem
    except ChcfuzzError:
        return False


def shrink(
    problem: PartProblem, test: InputTest[PartProblem], on_progress: Callable[[CandidateCounts], None]
) -> Iterator[Shrunk[PartProblem]]:
    """Yield ever smaller problems that pass the test, the given one first and a 1-minimal one last."""
    start = read(printed(problem), "problem")
    assert isinstance(start, PartProblem)

    def admits(best: PartProblem, candidate: PartProblem) -> bool:
        return measure(candidate) < measure(best) and is_sound(candidate)

    search = Search(start, test, printed, admits, on_progress)
    yield from improve(search, PASSES, measure)


def single_edits(problem: PartProblem) -> Iterator[tuple[str, PartProblem]]:
    """Yield well-formed problems after single edits, each with the name of the edit."""
    return edits_in_turns(problem, PASSES, is_sound)
