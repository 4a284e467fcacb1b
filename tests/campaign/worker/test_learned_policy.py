"""Tallies add up over processes and restarts, none lost, none counted twice."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.learned_policy import Learning, added, begin, finish, read_state, write_state
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.execution.solving import UsageError

ROW = "boolean.swap-and"
OTHER_WORKER = """
import sys
from pathlib import Path
from chcfuzz.solvers import z3_release
z3_release.activate()
from chcfuzz.campaign.worker.learned_policy import Learning
from chcfuzz.campaign.session.session import Session
from chcfuzz.domains.chc.rows.registry import registry
learning = Learning(sys.argv[2], registry(), Session(Path(sys.argv[1])))
for number in range(int(sys.argv[3])):
    learning.credit(0, ("boolean.swap-and",), number % 2 == 0)
import os
os._exit(0)
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "session").mkdir()
    return Session(tmp_path / "session")


def other_worker(session: Session, policy: str, runs: int) -> None:
    subprocess.run([sys.executable, "-c", OTHER_WORKER, str(session.folder), policy, str(runs)], check=True)


def campaign(tmp_path: Path, name: str, policy: str, *runs: int) -> dict[str, Any]:
    """Return the state after a campaign whose workers ran one after the other, for these numbers of executions."""
    state = tmp_path / "state.json"
    (tmp_path / name).mkdir()
    session = Session(tmp_path / name)
    begin(state, policy, session)
    for number in runs:
        other_worker(session, policy, number)
    finish(state, session)
    written = read_state(state)
    assert written is not None
    return written


def test_what_all_workers_did_is_in_the_state(tmp_path: Path) -> None:
    assert campaign(tmp_path, "one", "bandit", 250, 31)["rows"] == {ROW: [281, 141]}


@pytest.mark.parametrize("policy", ["bandit", "hornfuzz"])
def test_the_tallies_of_a_short_campaign_are_kept(tmp_path: Path, policy: str) -> None:
    assert campaign(tmp_path, "one", policy, 7)["rows"] == {ROW: [7, 4]}


@pytest.mark.slow
def test_campaigns_add_up(tmp_path: Path) -> None:
    campaign(tmp_path, "one", "bandit", 200)
    assert campaign(tmp_path, "two", "bandit", 200)["rows"] == {ROW: [400, 200]}


@pytest.mark.slow
def test_workers_too_short_lived_to_learn_alone_learn_together(tmp_path: Path) -> None:
    assert campaign(tmp_path, "one", "bandit", 60, 60, 60)["known"]["tallies"] == []
    (tallies,) = campaign(tmp_path, "two", "bandit", 60, 60, 60, 60)["known"]["tallies"]
    assert tallies == [0, ROW, 200, 100]


def test_a_worker_that_starts_later_knows_what_was_learned(session: Session, tmp_path: Path) -> None:
    begin(tmp_path / "state.json", "hornfuzz", session)
    other_worker(session, "hornfuzz", 1000)
    learning = Learning("hornfuzz", registry(), session)
    known = learning.policy.state()["weights"]
    assert isinstance(known, dict)
    assert known[ROW] == pytest.approx(0.62 * 0.1 + 0.38 * 0.5)
    for _ in range(learning.policy.runs):
        learning.credit(0, (), False)
    again = learning.policy.state()["weights"]
    assert isinstance(again, dict)
    assert again[ROW] == pytest.approx(0.62 * known[ROW] + 0.38 * 0.5), "what was counted once is not counted again"


def test_a_restart_goes_on(session: Session, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    begin(state, "hornfuzz", session)
    other_worker(session, "hornfuzz", 1000)
    finish(state, session)
    (tmp_path / "second").mkdir()
    second = Session(tmp_path / "second")
    begin(state, "hornfuzz", second)
    known = Learning("hornfuzz", registry(), second).policy.state()["weights"]
    assert isinstance(known, dict)
    assert known[ROW] > 0.2


def test_another_policy_begins_anew_but_keeps_the_tallies(tmp_path: Path) -> None:
    campaign(tmp_path, "one", "hornfuzz", 1000)
    written = campaign(tmp_path, "two", "bandit", 200)
    assert (written["policy"], written["rows"]) == ("bandit", {ROW: [1200, 600]})


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "other"}', '{"format": "chcfuzz-state 1"}'])
def test_a_damaged_state_is_one_line_that_names_it(session: Session, tmp_path: Path, content: str) -> None:
    state = tmp_path / "state.json"
    state.write_text(content)
    with pytest.raises(UsageError) as caught:
        begin(state, "bandit", session)
    assert str(state) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert state.read_text() == content


def test_a_state_is_written_whole(session: Session, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    begin(state, "bandit", session)
    other_worker(session, "bandit", 200)
    finish(state, session)
    assert sorted(os.listdir(tmp_path)) == ["session", "state.json"]
    assert json.loads(state.read_text())["format"] == "chcfuzz-state 1"


def test_what_several_campaigns_learned_adds_up_in_any_order() -> None:
    def state(rows: dict[str, list[int]], tallies: list[list[Any]], policy: str = "bandit") -> dict[str, Any]:
        return {"format": "chcfuzz-state 1", "policy": policy, "rows": rows, "known": {"tallies": tallies}}

    one = state({"a": [3, 1], "b": [1, 0]}, [[0, "a", 3.5, 1.0]])
    two = state({"a": [4, 4]}, [[0, "a", 1.25, 1.0], [2, "a", 7.0, 0.5]])
    three = state({"c": [9, 2]}, [])
    expected = state({"a": [7, 5], "b": [1, 0], "c": [9, 2]}, [[0, "a", 4.75, 2.0], [2, "a", 7.0, 0.5]])
    for order in itertools.permutations((one, two, three)):
        assert added(order) == expected
        assert added((added(order[:2]), order[2])) == expected
    assert added((one, state({}, [], "hornfuzz")))["known"] == {}


def test_a_sum_of_states_is_one_to_go_on_from(tmp_path: Path, session: Session) -> None:
    counted = {"policy": "bandit", "rows": {ROW: [5, 2]}, "known": {"tallies": [[0, ROW, 5.0, 2.0]]}}
    write_state(tmp_path / "state.json", added([{"format": "chcfuzz-state 1", **counted}] * 2))
    begin(tmp_path / "state.json", "bandit", session)
    weights = Learning("bandit", registry(), session).policy
    assert read_state(tmp_path / "state.json") is not None
    assert weights.state()["tallies"] == [[0, ROW, 10.0, 4.0]]
