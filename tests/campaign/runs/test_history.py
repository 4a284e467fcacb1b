"""A campaign over all its sessions: numbers add up, what comes again is counted once."""

from pathlib import Path

import pytest
from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.runs.run_statistics import FINDING, SESSION, Statistics
from chcfuzz.execution.solving import UsageError

from tests.dashboard.made import made_run

COUNTS = ("executions", "solved", "traces", "transitions", "waiting", "crashes", "replaced", "units")
NOTHING = {**dict.fromkeys((*COUNTS, "corpus_bytes", "memory_bytes"), 0), "findings": {}, "counters": {}}


def test_sessions_add_up_and_a_finding_that_comes_again_is_one(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", lines=30, edges=True)
    told = history.read(run)
    assert told.last is not None
    assert [session.number for session in told.sessions] == [1, 2]
    assert told.last.seconds == 2 * 30 * 20
    assert told.last.solved == 2 * 15 * 600
    assert told.last.counters["wall_time"] == 2 * 2 * 600
    assert told.last.findings == {"wrong-model": 1}
    assert told.all_edges == 41_000
    for name in ("seconds", "executions", "solved", "traces", "transitions", "edges", "found"):
        values = [getattr(point, name) for point in told.points]
        assert values == sorted(values), name


def test_under_another_build_transitions_and_edges_begin_anew(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", lines=3, edges=True)
    written = Statistics(run.statistics)
    written.write(SESSION, 0.0, build="another")
    written.write("progress", 1.0, **{**NOTHING, "transitions": 2})
    last = history.read(run).last
    assert last is not None
    assert (last.transitions, last.edges) == (2, None)
    assert last.solved == 2 * 15 * 60


def test_a_new_trace_is_younger_than_an_equal_number_under_another_build(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", lines=3)
    for build, number in (("a", 7), ("b", 0), ("b", 7)):
        written = Statistics(run.statistics)
        written.write(SESSION, 0.0, build=build)
        for seconds in (100.0, 101.0):
            written.write("progress", seconds, **{**NOTHING, "traces": number})
    assert history.read(run).trace_age == 1.0


def test_a_finding_counts_although_its_session_was_killed_at_once_and_has_no_build(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin("spacer", [])
    killed = Statistics(run.statistics)
    killed.write(SESSION, 0.0)
    killed.write(FINDING, 5.0, kind="crash", name="crash-1")
    resumed = Statistics(run.statistics)
    resumed.write(SESSION, 0.0)
    resumed.write("progress", 1.0, **NOTHING)
    last = history.read(run).last
    assert last is not None
    assert last.findings == {"crash": 1}


def test_a_folder_of_anything_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a run folder"):
        history.read(RunFolder(tmp_path))
