"""Doubts about steps that are not wrong: feedback for campaigns, and words for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.domains.chc.solver_steps.judgement import Judged
from chcfuzz.domains.chc.solver_steps.steps import Lemma, SolverStep


def lowered(numbered: Sequence[tuple[int, SolverStep]]) -> frozenset[int]:
    """Return the numbers of lemmas that the solver learns later at a lower level: their frame has become smaller."""
    highest: dict[tuple[str, str], tuple[int, int]] = {}  # level and number
    found = set()
    for number, step in numbered:
        if isinstance(step, Lemma):
            level, at = highest.setdefault((step.predicate, step.formula), (step.level, number))
            if step.level > level:
                highest[step.predicate, step.formula] = step.level, number
            elif step.level < level:
                found.add(at)
    return frozenset(found)


def doubted(judged: Judged, doubts: Sequence[str]) -> Judged:
    """Return a judgement with further doubts."""
    return replace(judged, doubts=(*judged.doubts, *doubts)) if doubts else judged
