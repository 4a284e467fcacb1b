"""The effects of a candidate fix, as a finding's folder stores them."""

from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.triage.findings.fix import (
    FILE,
    PATCH,
    CorpusEffect,
    Effect,
    FindingEffect,
    Fix,
    FixError,
    compared,
    in_words,
    read_fix,
    write_fix,
)

CURED = FindingEffect("wrong-answer-a-1", True, "sat, wrong", "unsat, right", Effect.CURED)
ELSEWHERE = FindingEffect("wrong-model-b-2", False, "sat, wrong", "sat, wrong", Effect.STILL)
GAINED = CorpusEffect("a.smt2", "gained", "unknown (limit)", "sat", False)
DEARER = CorpusEffect("b.smt2", "dearer", "sat, cost 30000", "sat, cost 90000", False)
FIX = Fix("0123456789ab", ("src/a.cpp",), "5.4.0.0", (CURED, ELSEWHERE), 402, (GAINED, DEARER), (1000, 1100))


def test_a_fix_is_stored_with_its_patch(tmp_path: Path) -> None:
    assert read_fix(tmp_path) is None
    write_fix(tmp_path, FIX, b"the patch")
    assert read_fix(tmp_path) == FIX
    assert (tmp_path / PATCH).read_bytes() == b"the patch"
    (tmp_path / FILE).write_text("{")
    with pytest.raises(FixError, match="try-fix"):
        read_fix(tmp_path)


def test_its_effects_are_counted() -> None:
    assert in_words(FIX) == [
        "cures 1 of 1 findings of the bucket",
        "  wrong-answer-a-1: sat, wrong -> unsat, right (cured)",
        "other findings: 1 run, 0 changed",
        "corpus, under default parameters: 402 units, 1 answer changed, 0 of them wrong",
        "  a.smt2: unknown (limit) -> sat (gained)",
        "costs: 1 unit moved, +10.0 % in sum",
        "  b.smt2: sat, cost 30000 -> sat, cost 90000 (dearer)",
    ]
    assert FIX.cures_all


@pytest.mark.parametrize(
    "worse",
    [
        replace(FIX, findings=(CURED, replace(CURED, effect=Effect.UNCLEAR))),
        replace(FIX, findings=(CURED, replace(ELSEWHERE, effect=Effect.NEW))),
        replace(FIX, corpus=(replace(GAINED, is_wrong=True),)),
        replace(FIX, findings=(replace(CURED, effect=Effect.ABSENT),)),
    ],
)
def test_a_patch_that_leaves_or_makes_something_wrong_is_not_a_cure(worse: Fix) -> None:
    assert not worse.cures_all


def test_a_second_patch_is_compared_with_the_first() -> None:
    worse = replace(FIX, patch="fedcba987654", findings=(replace(CURED, effect=Effect.STILL),))
    assert compared(worse, FIX) == (
        "this patch fedcba987654 cures 0 of 1, changes 1 answer, makes 0 wrong; "
        "the earlier patch 0123456789ab cures 1 of 1, changes 1 answer, makes 0 wrong"
    )


def test_runs_of_files_as_they_are_name_their_settings() -> None:
    changed = CorpusEffect("b.smt2 (as rules; fp.spacer.ctp=false)", "contradiction", "sat", "unsat", True)
    found = replace(FIX, settings=("default parameters", "fp.spacer.ctp=false"), runs=8, scripts=(changed,))
    assert in_words(found)[-3:] == [
        "SMT-LIB files as they are, and through both front ends, under default parameters; fp.spacer.ctp=false:",
        "  8 runs, 1 answer changed, 1 of them wrong",
        "  b.smt2 (as rules; fp.spacer.ctp=false): sat -> unsat (contradiction)",
    ]
    assert not found.cures_all
