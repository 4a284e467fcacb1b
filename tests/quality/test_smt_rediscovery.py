"""Releases of SMT solvers give the known wrong answers of the table, and the right ones to the clean seeds."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading.parse import problem

from tests.quality.rediscovery.known_smt import SOLVER, KnownSmt, release_argument, table

ROWS = table()
FOLDER = Path(__file__).parent / "rediscovery"
EACH = pytest.mark.parametrize("known", ROWS, ids=lambda known: known.name)


@functools.cache
def answers(release: str | None, known: KnownSmt) -> tuple[str, str]:
    """Return a release's answers to the seed and to its trigger; None is the installed release."""
    arguments = [SOLVER[known.package]]
    if release is not None:
        found = release_argument(known.package, release)
        if found is None:
            pytest.skip(f"needs the wheel of {known.package} {release}")
        arguments.append(found)
    lines = "".join(json.dumps(text) + "\n" for text in (canonical(known.seed), canonical(known.trigger)))
    command = [sys.executable, str(FOLDER / "smt_answering.py"), *arguments]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.split()
    return first, second


def canonical(text: str) -> str:
    """Return the text that campaigns give to solvers."""
    return print_problem(problem(text))


def opposite(answer: str) -> str:
    return {"sat": "unsat", "unsat": "sat"}[answer]


def test_there_are_enough_and_each_has_its_seed_and_all_solvers_have_rows() -> None:
    assert len(ROWS) >= 8
    assert {f"{row.name}.smt2" for row in ROWS} == {file.name for file in (FOLDER / "smt").glob("*.smt2")}
    assert {row.package for row in ROWS} == set(SOLVER)


def test_no_two_rows_have_the_same_fix_and_were_wrong_in_the_same_releases() -> None:
    causes = [row.fix or (row.package, row.good_before, row.first_good) for row in ROWS]
    assert len(set(causes)) == len(causes)


@EACH
def test_a_seed_has_no_status_and_no_options_and_one_change(known: KnownSmt) -> None:
    seed = problem(known.seed, known.name)
    assert seed.status is None
    assert not seed.options
    assert known.seed.count(known.change[0]) == 1
    assert problem(known.trigger) != seed


@EACH
def test_the_installed_release_answers_both_right(known: KnownSmt) -> None:
    assert answers(None, known) == (known.answer, known.changed)


@pytest.mark.slow
@EACH
def test_the_affected_release_answers_the_seed_right_and_the_changed_one_wrong(known: KnownSmt) -> None:
    assert answers(known.release, known) == (known.answer, opposite(known.changed))


@pytest.mark.slow
@EACH
def test_releases_before_and_after_answer_both_right(known: KnownSmt) -> None:
    for release in filter(None, (known.good_before, known.first_good)):
        assert answers(release, known) == (known.answer, known.changed), release
