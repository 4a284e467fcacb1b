"""The reduction of an interpolation problem under a test: whole groups and cuts, then the passes of SMT problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from chcfuzz.domains.smt.passes import PASSES as SMT_PASSES
from chcfuzz.domains.smt.passes import size
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.grammar.interpolation.grouped import AXIOM, Interpolation
from chcfuzz.triage.shrink.result import Shrunk, improve
from chcfuzz.triage.shrink.search import CandidateCounts, Edits, InputTest, Search, edits_in_turns
from chcfuzz.triage.shrink.size import Size

_LEAST_GROUPS = 2
InterpolationPass = Edits[Interpolation, Any]


def _groups(problem: Interpolation) -> Sequence[int]:
    found = range(len(problem.groups))
    return (*found, AXIOM) if problem.axioms else found


def _without_groups(problem: Interpolation, gone: Sequence[int]) -> Interpolation:
    left = [each for each, label in zip(problem.assertions, problem.labels, strict=True) if label not in set(gone)]
    return replace(problem, assertions=tuple(left))


def _cuts(problem: Interpolation) -> Sequence[int]:
    return range(problem.cuts) if len(problem.groups) > _LEAST_GROUPS else ()


def _without_cuts(problem: Interpolation, gone: Sequence[int]) -> Interpolation | None:
    """Return the problem whose groups below these cuts join the group after them, or their parent."""
    joins = {cut: problem.parents[cut] if problem.parents else cut + 1 for cut in gone}

    def target(label: int) -> int:
        while label in joins:
            label = joins[label]
        return label

    return problem.with_labels([target(label) for label in problem.labels])


def _branches(problem: Interpolation) -> Sequence[int]:
    return [0] if problem.is_tree else []


def _as_sequence(problem: Interpolation, _gone: Sequence[int]) -> Interpolation:
    return replace(problem, parents=())


def _axioms(problem: Interpolation) -> Sequence[int]:
    return problem.axioms


def _in_last_group(problem: Interpolation, moved: Sequence[int]) -> Interpolation:
    last = len(problem.groups) - 1
    return problem.with_labels([last if n in set(moved) else label for n, label in enumerate(problem.labels)])


PASSES: tuple[InterpolationPass, ...] = (
    Edits("drop groups", _groups, _without_groups),
    Edits("drop cuts", _cuts, _without_cuts),
    Edits("tree to sequence", _branches, _as_sequence),
    *(cast(InterpolationPass, each) for each in SMT_PASSES),
    Edits("axioms to the last group", _axioms, _in_last_group),
)


def measure(problem: Interpolation) -> Size:
    """Return the size of a problem: groups beyond the first, axioms and parents count as notes."""
    plain = size(problem)
    notes = len(problem.groups) + len(problem.axioms) + len(problem.parents)
    return plain._replace(notes=plain.notes + notes)


def is_sound(problem: Interpolation) -> bool:
    """Return whether the problem has two groups, and its text parses back to it."""
    try:
        return len(problem.groups) >= _LEAST_GROUPS and read(printed(problem), "problem") == problem
    except ChcfuzzError:
        return False


def shrink(
    problem: Interpolation, test: InputTest[Interpolation], on_progress: Callable[[CandidateCounts], None]
) -> Iterator[Shrunk[Interpolation]]:
    """Yield ever smaller problems that pass the test, the given one first and a 1-minimal one last."""
    problem = read(printed(problem), "problem")

    def admits(best: Interpolation, candidate: Interpolation) -> bool:
        return measure(candidate) < measure(best) and is_sound(candidate)

    search = Search(problem, test, printed, admits, on_progress)
    yield from improve(search, PASSES, measure)


def single_edits(problem: Interpolation) -> Iterator[tuple[str, Interpolation]]:
    """Yield well-formed problems after single edits, each with the name of the edit."""
    return edits_in_turns(problem, PASSES, is_sound)
