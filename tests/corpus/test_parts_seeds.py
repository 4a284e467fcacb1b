"""The questions in `corpus-parts/`: their number and variety, and that each comes from its source with its witness."""

from __future__ import annotations

from collections import Counter

import pytest
from chcfuzz.domains.parts.question import PARTS, PartProblem
from chcfuzz.domains.parts.question_text import printed, read
from chcfuzz.grammar.small_formulas.assignments import is_model

from seeds.files import ROOT
from seeds.parts.sources import derived

FILES = {path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted(ROOT.glob("corpus-parts/*/*.smt2"))}


def problem(name: str) -> PartProblem:
    found = read(FILES[name], name)
    assert isinstance(found, PartProblem)
    return found


def test_questions_are_many_and_to_all_parts() -> None:
    assert len(FILES) >= 150
    found = Counter(problem(name).question.part for name in FILES)
    assert found.keys() == PARTS.keys()
    assert min(found.values()) >= 3


@pytest.mark.parametrize("name", sorted(FILES)[::20])
def test_a_question_reads_back_with_its_witness(name: str) -> None:
    found = problem(name)
    assert FILES[name].partition("\n")[2] == printed(found)
    assert found.is_askable
    assert is_model(found, dict(found.question.model)) or found.question.kind.needs_unsat


@pytest.mark.slow
def test_questions_are_up_to_date() -> None:
    wanted = {f"corpus-parts/{each.name}.smt2": each.text for each in derived()}
    assert {name: wanted.get(name) for name in FILES} == FILES
