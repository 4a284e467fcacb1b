"""Releases give the known wrong answers of the table, and a campaign finds one of them again."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.execution.solving import PROGRAM
from chcfuzz.grammar.problem import Pairs
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.chain import Chains, Mutant
from chcfuzz.mutators.mutation import Kind, Scope
from chcfuzz.mutators.recipe import Recipe

from tests.quality.rediscovery.known import Known, table
from tests.targets import Run
from tests.traced import ensure_release

ROWS = table()
ANSWERING = Path(__file__).parent / "rediscovery" / "answering.py"
EACH = pytest.mark.parametrize("known", ROWS, ids=lambda known: known.name)
QUICKEST = "slice-solved-by-a-choice"  # the order of clauses suffices


@functools.cache
def chains() -> Chains:
    """Return the chains of this process's Z3."""
    return Chains(registry())


def mutants(known: Known) -> tuple[Mutant, Mutant]:
    """Return the unchanged seed, and the mutant that shows the bug."""
    return chains().apply(Recipe(known.seed.read_text())), chains().apply(known.recipe)


@functools.cache
def answers(release: str | None, known: Known) -> tuple[str, ...]:
    """Return a release's answers to the seed and the mutant; None is the installed release."""
    if release is not None:
        ensure_release(release)
    scripts = [(mutant.text, mutant.parameters) for mutant in mutants(known)]
    front_end = [PROGRAM] if known.front_end == PROGRAM else []
    return run_scripts([*front_end, *([] if release is None else [release])], scripts)


def run_scripts(arguments: Sequence[str], scripts: Sequence[tuple[str, Pairs]]) -> tuple[str, ...]:
    """Run scripts with parameters as the arguments of `answering.py` choose Z3; return its answers."""
    lines = "".join(json.dumps(script) + "\n" for script in scripts)
    command = [sys.executable, str(ANSWERING), *arguments]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return tuple(done.stdout.split())


def opposite(answer: str) -> str:
    """Return the other answer."""
    return {"sat": "unsat", "unsat": "sat"}[answer]


def test_there_are_enough_and_each_has_its_seed() -> None:
    assert len(ROWS) >= 18
    assert {row.seed for row in ROWS} == set((ANSWERING.parent).glob("*.smt2"))
    assert QUICKEST in {row.name for row in ROWS}


def test_no_two_rows_have_the_same_cause_as_far_as_fixes_and_releases_show() -> None:
    causes = [row.fix or row.bug or (row.good_before, row.first_good) for row in ROWS]
    assert len(set(causes)) == len(causes)


def test_rows_that_no_release_answers_right_name_their_bug_in_the_documentation() -> None:
    assert [row.name for row in ROWS if (row.bug is None) == (row.first_good is None)] == []


@EACH
def test_a_seed_has_no_status_and_no_parameters(known: Known) -> None:
    seed = parse(known.seed.read_text(), known.name)
    assert seed.status is None
    assert not seed.options


@EACH
def test_a_mutant_needs_no_more_than_our_own_rows_and_one_plain_switch(known: Known) -> None:
    _, mutant = mutants(known)
    assert all(applied.changed for applied in mutant.steps)
    assert mutant.promise.expected(known.answer) == known.answer
    assert all(row.kind is Kind.OWN for step in known.steps if (row := registry().get(step.mutation)) is not None)
    for name, value in known.parameters:
        parameter = registry().parameter(f"parameter.{name}")
        assert parameter is not None
        assert value in parameter.values
        assert parameter.scope is Scope.SINGLE_SWITCH
    assert len(known.parameters) <= 1


@pytest.mark.parametrize("known", [row for row in ROWS if row.first_good is not None], ids=lambda known: known.name)
def test_the_installed_release_answers_seed_and_mutant_right(known: Known) -> None:
    assert answers(None, known) == (known.answer, known.answer)


@pytest.mark.slow
@EACH
def test_the_affected_release_answers_the_seed_right_and_the_mutant_wrong(known: Known) -> None:
    assert answers(known.release, known) == (known.answer, opposite(known.answer))


@pytest.mark.slow
@EACH
def test_releases_before_and_after_answer_both_right(known: Known) -> None:
    for release in filter(None, (known.good_before, known.first_good)):
        assert answers(release, known) == (known.answer, known.answer), release


@pytest.mark.slow
def test_a_campaign_on_a_clean_seed_confirms_the_wrong_answer(run: Run, tmp_path: Path) -> None:
    known = next(row for row in ROWS if row.name == QUICKEST)
    ensure_release(known.release)
    corpus = tmp_path / "seed"
    corpus.mkdir()
    (corpus / known.seed.name).write_bytes(known.seed.read_bytes())
    done = run(f"--z3={known.release}", "--findings=found", "-runs=600", "-seed=1", corpus)
    assert done.code == 0, done.err
    records = [json.loads(file.read_text()) for file in sorted((tmp_path / "found").glob("wrong-answer-*/record.json"))]
    assert records, done.err
