"""The effects of a patch: what counts as a cure, and which changed answers are wrong."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest
from chcfuzz.corpus_tools.fix_trial import FixTrial, corpus_effect, costs, effect
from chcfuzz.corpus_tools.regress import Compared, Seen, compared
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import WALL_FACTOR
from chcfuzz.triage.findings.fix import Effect, Fix, in_words
from chcfuzz.triage.locate.messages import Side

SAT, UNSAT = Seen("sat", cost=100_000), Seen("unsat", cost=100_000)
WRONG = replace(SAT, wrong_model="clause 1 is false")


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (Side.FAILING, Side.PASSING, Effect.CURED),
        (Side.FAILING, Side.FAILING, Effect.STILL),
        (Side.FAILING, Side.NEITHER, Effect.UNCLEAR),
        (Side.PASSING, Side.FAILING, Effect.NEW),
        (Side.NEITHER, Side.PASSING, Effect.ABSENT),
    ],
)
def test_only_a_right_answer_is_a_cure(before: Side, after: Side, found: Effect) -> None:
    assert effect(before, after) is found


@pytest.mark.parametrize(
    ("old", "new", "expected", "is_wrong"),
    [
        (SAT, UNSAT, "unsat", False),
        (SAT, UNSAT, "sat", True),
        (SAT, UNSAT, None, None),
        (SAT, WRONG, None, True),
        (WRONG, SAT, None, False),
        (SAT, Seen("unknown", "limit"), "sat", False),
        (SAT, Seen("death", "signal 11"), "sat", True),
    ],
)
def test_a_changed_answer_is_wrong_by_the_promise_or_by_itself(
    old: Seen, new: Seen, expected: str | None, is_wrong: bool | None
) -> None:
    each = Compared(Path("a.smt2"), expected, old, new, compared(old, new, 2.0))
    assert corpus_effect(each).is_wrong is is_wrong


def hanging(monkeypatch: pytest.MonkeyPatch, after: str, base_seconds: float = 0.0) -> list[Solving]:
    """Let reruns on the patched build end with this description; return the flags of all reruns."""
    asked: list[Solving] = []

    def rerun(_finding: Path, solving: Solving) -> tuple[Side, str]:
        asked.append(solving)
        time.sleep(base_seconds)
        return (Side.FAILING, "sat, wrong") if solving.z3_library == Path("base") else (Side.NEITHER, after)

    monkeypatch.setattr("chcfuzz.corpus_tools.fix_trial.rerun", rerun)
    return asked


def test_a_patched_solver_that_does_not_end_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = hanging(monkeypatch, "hang")
    found = FixTrial(Path("base"), Path("patched"), print).on_finding(Path("found"), Solving(wall_seconds=7.0), True)
    assert (found.effect, found.after) == (Effect.HANGS, "does not end in 7 s")
    assert asked[1].wall_seconds * WALL_FACTOR == pytest.approx(7.0), "much less than the clock of other runs"
    lines = in_words(Fix("1", (), "5.4.1.0", (found,), left_out=4))
    assert lines[0] == "the patched solver hangs: 4 findings and units were not run"
    assert lines[-1] == "corpus: not run", "it may have been named"


def test_another_undecided_answer_is_unclear(monkeypatch: pytest.MonkeyPatch) -> None:
    hanging(monkeypatch, "unknown")
    found = FixTrial(Path("base"), Path("patched"), print).on_finding(Path("found"), Solving(), True)
    assert (found.effect, found.after) == (Effect.UNCLEAR, "unknown")


def test_a_slow_solver_gets_a_multiple_of_the_time_that_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = hanging(monkeypatch, "hang", base_seconds=0.05)
    FixTrial(Path("base"), Path("patched"), print).on_finding(Path("found"), Solving(wall_seconds=0.1), True)
    assert asked[1].wall_seconds * WALL_FACTOR >= 0.2


class HangingCorpus:
    """In place of `Regression`: the patched solver hangs on each unit."""

    def __init__(self, *_: object) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, units: Iterable[Path]) -> Iterator[Compared]:
        for number, unit in enumerate(units):
            new = Seen("hang") if number % 2 else Seen("death", "it does not end")
            yield Compared(unit, None, SAT, new, compared(SAT, new, 2.0))


def test_a_corpus_on_which_the_patched_solver_hangs_is_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("chcfuzz.corpus_tools.fix_trial.Regression", HangingCorpus)
    units = [Path(f"{number}.smt2") for number in range(9)]
    assert len(FixTrial(Path("base"), Path("patched"), print).on_corpus(units, Solving(), 1, 2.0)) == 3
    assert capsys.readouterr().out.splitlines()[0] == "0.smt2: the patched solver hangs, before: sat"


@pytest.mark.parametrize(
    ("after", "text"),
    [(1000, "the same"), (999_999, "+99899.9 %"), (1009, "+0.9 %"), (990, "-1.0 %")],
)
def test_a_change_of_costs_is_a_share(after: int, text: str) -> None:
    assert f"0 units moved, {text} in sum" in in_words(Fix("1", (), "", (), units=1, costs=(1000, after)))[-1]


@pytest.mark.parametrize(("after", "text"), [(99_990, "less by under 0.1 %"), (100_010, "more by under 0.1 %")])
def test_a_small_change_of_costs_is_not_called_none(after: int, text: str) -> None:
    assert text in in_words(Fix("1", (), "", (), units=1, costs=(100_000, after)))[-1]


def test_costs_are_those_of_units_that_are_decided_twice() -> None:
    units = [(SAT, replace(SAT, cost=50_000)), (SAT, Seen("unknown", cost=7)), (UNSAT, UNSAT)]
    found = [Compared(Path("a"), None, old, new, compared(old, new, 2.0)) for old, new in units]
    assert costs(found) == (200_000, 150_000)
