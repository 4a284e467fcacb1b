"""An imported seed remembers its execution, for one setting only, and damage is never taken for an answer."""

from pathlib import Path

import numpy as np
import pytest
from chcfuzz.execution.cached_outcome import Setting, outcome_in, with_outcome
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING, Trace, make_trace

from tests.campaign.conftest import SAT
from tests.users import BecomeUser

SETTING = Setting("5.4.0.0", "progress-log", 1_000_000)
SEED = SAT.replace("(set-info :status sat)\n", "")


def some_trace(events: int = 200) -> Trace:
    numbers = np.arange(events, dtype=np.uint32) * 7919 % 50
    return make_trace(numbers, (numbers % 9).astype(np.uint16))


def remembered(trace: Trace, status: Status = Status.SAT) -> str:
    return with_outcome(SEED, Outcome(status, "", trace, 1234, 0.5), SETTING)


def same(first: Trace, second: Trace) -> bool:
    return (
        (first.hash, first.length, first.complete) == (second.hash, second.length, second.complete)
        and np.array_equal(first.keys, second.keys)
        and np.array_equal(first.counts, second.counts)
    )


@pytest.mark.parametrize("status", [Status.SAT, Status.UNSAT])
@pytest.mark.parametrize("trace", [some_trace(), some_trace(1), NOTHING], ids=["long", "one event", "nothing"])
def test_what_was_remembered_is_read_again(status: Status, trace: Trace) -> None:
    text = remembered(trace, status)
    found = outcome_in(text, SETTING)
    assert found is not None
    assert found[:2] == (status, 1234)
    assert same(found[2], trace)
    assert found[2].keys.dtype == found[2].counts.dtype == np.uint32
    assert f"(set-logic HORN)\n(set-info :status {status.value})\n(set-info :chcfuzz-outcome " in text


@pytest.mark.parametrize(
    "setting",
    [
        Setting("5.4.0.1", "progress-log", 1_000_000),
        Setting("5.4.0.0", "trace", 1_000_000),
        Setting("5.4.0.0", "progress-log", 100_000),
        Setting("5.4.0.0", "progress-log", 1_000_0000),
    ],
)
def test_it_holds_only_for_its_setting(setting: Setting) -> None:
    assert outcome_in(remembered(some_trace()), setting) is None


def test_the_outcome_of_another_text_is_not_believed() -> None:
    text = remembered(some_trace())
    assert outcome_in(text, SETTING) is not None
    assert outcome_in(text.replace("(check-sat)", "(assert false)\n(check-sat)"), SETTING) is None
    assert outcome_in(text.replace(":status sat", ":status unsat", 1), SETTING) is None


def test_a_text_without_it_remembers_nothing() -> None:
    assert outcome_in(SEED, SETTING) is None


@pytest.mark.parametrize("change", ["flipped", "lost"])
def test_damage_to_any_byte_is_seen(change: str) -> None:
    text = remembered(some_trace())
    start = text.index('outcome "') + len('outcome "')
    for at in range(start, text.index('"', start)):
        new = {"flipped": chr(ord(text[at]) ^ 1), "lost": ""}[change]
        assert outcome_in(text[:at] + new + text[at + 1 :], SETTING) is None


def test_an_outcome_that_somebody_else_signed_is_not_believed(tmp_path: Path, become_user: BecomeUser) -> None:
    mine = remembered(some_trace())
    for home in ("theirs", "theirs too"):
        become_user(tmp_path / home)
        assert outcome_in(mine, SETTING) is None
        assert outcome_in(remembered(some_trace()), SETTING) is not None
        assert (tmp_path / home / "chcfuzz" / "secret").stat().st_mode & 0o777 == 0o600


def test_a_cut_line_is_seen() -> None:
    text = remembered(some_trace())
    start = text.index('outcome "') + len('outcome "')
    end = text.index('"', start)
    assert all(outcome_in(text[:cut] + text[end:], SETTING) is None for cut in range(start, end))
