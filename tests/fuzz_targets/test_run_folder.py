"""A campaign in a run folder continues after a stop, a kill, and with another build; its files match their schema."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from chcfuzz.campaign.runs import history, run_statistics
from chcfuzz.campaign.runs.run_folder import TRACES, TRANSITIONS, RunFolder
from chcfuzz.execution.signed_tables import FOLDER
from chcfuzz.mutators.recipe import digest

from tests.targets import SPACER, WALL, Run, comes_true

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs" / "statistics.schema.json").read_text())


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """An empty corpus, from which a campaign starts with the few built-in seeds."""
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


def every_line(run: RunFolder) -> list[dict[str, Any]]:
    return [json.loads(line) for part in run_statistics.parts(run.statistics) for line in part.read_text().splitlines()]


@pytest.mark.slow
def test_a_campaign_goes_on_and_every_line_that_it_writes_obeys_the_schema(
    run: Run, tmp_path: Path, empty: Path
) -> None:
    first = run("--run-dir=run", "-runs=12", "-seed=1", "--status-seconds=0.2", empty)
    assert first.code == 0, first.err
    folder = RunFolder(tmp_path / "run")
    (before,), damaged = run_statistics.read(folder.statistics)
    assert damaged == 0
    units = {path.name for path in folder.corpus.iterdir()}
    traces = folder.seen(TRACES, before.head["build"])
    assert len(traces) == first.summary["unique_traces"] > 0
    assert len(folder.seen(TRANSITIONS, before.head["build"])) == first.summary["transitions"] > 0
    rows = json.loads((folder.findings / "state.json").read_text())["rows"]

    second = run("--resume=run", "-runs=30", "-seed=2", "--status-seconds=0.2", "--trace-tags=spacer")
    assert second.code == 0, second.err
    (_, after), _ = run_statistics.read(folder.statistics)
    assert units <= {path.name for path in folder.corpus.iterdir()}
    assert after.head["build"] != before.head["build"]
    assert after.head["traces_before"] == 0
    assert folder.seen(TRACES, before.head["build"]).tolist() == traces.tolist()
    tried = json.loads((folder.findings / "state.json").read_text())["rows"]
    assert all(tried[row][0] >= number for row, (number, _) in rows.items())
    outcomes = sum(number for name, number in folder.tables().items() if name[0] == "outcome")
    assert outcomes == first.summary["solved"] + second.summary["solved"]

    lines = every_line(folder)
    assert {line["type"] for line in lines} == {"session", "progress", "end"}
    check = jsonschema.Draft202012Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
    for line in [*lines, {"type": "finding", "session": 1, "seconds": 0.0, "kind": "wrong-sat", "name": "x"}]:
        check.validate(line)
    for wrong in ({**lines[0], "more": 1}, {**lines[1], "traces": -1}, {"type": "finding"}):
        assert not check.is_valid(wrong)


@pytest.mark.slow
def test_a_campaign_that_goes_on_counts_what_its_earlier_sessions_have_seen(
    run: Run, tmp_path: Path, empty: Path
) -> None:
    first = run("--run-dir=run", "-runs=12", "-seed=1", empty).summary
    second = run("--resume=run", "-runs=3").summary
    last = history.read(RunFolder(tmp_path / "run")).last
    assert last is not None
    assert (last.traces, last.transitions) == (second["unique_traces"], second["transitions"])
    assert second["unique_traces"] >= first["unique_traces"]
    assert second["transitions"] >= first["transitions"]


@pytest.mark.slow
def test_a_campaign_that_goes_on_reads_no_more_units_than_it_may(run: Run, tmp_path: Path, empty: Path) -> None:
    assert run("--run-dir=run", "-runs=40", "-seed=1", "--portfolio=novelty", empty).code == 0
    units = len(list((tmp_path / "run" / "corpus").iterdir()))
    assert units > 5
    again = run("--resume=run", "-runs=1", "--corpus-units=5")
    assert again.code == 0, again.err
    assert f"chcfuzz: deleted {units - 4} units from 'run/corpus'; see --corpus-units" in again.err


@pytest.mark.slow
def test_after_a_kill_and_what_a_power_cut_leaves_nothing_that_was_written_is_lost(
    tmp_path: Path, run: Run, empty: Path
) -> None:
    command = [sys.executable, str(SPACER), WALL, "--run-dir=run", "--status-seconds=0.2", str(empty)]
    folder = RunFolder(tmp_path / "run")
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL, process_group=0) as process:

        def is_under_way() -> bool:
            found = any(line["traces"] for line in _progress(folder))
            return found and bool(list(folder.corpus.iterdir()))

        try:
            assert comes_true(is_under_way)
        finally:
            process.kill()
    written, units = every_line(folder), {path.name for path in folder.corpus.iterdir()}
    (part,) = run_statistics.parts(folder.statistics)
    with open(part, "a") as file:
        file.write('{"type":"progress","sess')
    lost = folder.corpus / digest(b"a unit that never reached the disk")
    lost.write_bytes(b"")
    for part in (folder.findings / FOLDER).iterdir():  # the table, and what was not written into it yet
        part.write_bytes(bytes(100))
    again = run("--resume=run", "-runs=20")
    assert again.code == 0, again.err
    assert "1 unit in" in again.err
    assert "is damaged, as by a power cut" in again.err
    assert not lost.exists()
    (killed, gone_on), damaged = run_statistics.read(folder.statistics)
    assert damaged == 1
    assert killed.end is None
    assert killed.progress == [line for line in written if line["type"] == "progress"]
    assert gone_on.head["traces_before"] > 0
    assert gone_on.last is not None
    assert gone_on.last["traces"] >= gone_on.head["traces_before"]
    assert units <= {path.name for path in folder.corpus.iterdir()}


def _progress(folder: RunFolder) -> list[dict[str, Any]]:
    sessions, _ = run_statistics.read(folder.statistics)
    return [line for session in sessions for line in session.progress]


@pytest.mark.parametrize("resumed", [pytest.param(False, marks=pytest.mark.slow), True])
def test_two_campaigns_do_not_write_into_one_folder(tmp_path: Path, run: Run, resumed: bool) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin("spacer", ["-runs=1"] if resumed else [])
    if not resumed:
        (folder.path / "run.json").unlink()
    with folder.locked():
        ended = run("--resume=run" if resumed else "--run-dir=run", "-runs=1")
    assert ended.code == 2
    assert "another campaign runs in" in ended.err


@pytest.mark.slow
def test_the_other_program_does_not_go_on_with_it(tmp_path: Path, run: Run) -> None:
    RunFolder(tmp_path / "run").begin("chc_command", [])
    ended = run("--resume=run", "-runs=1")
    assert ended.code == 2
    assert "one of chc_command.py" in ended.err


@pytest.mark.slow
def test_a_disk_that_takes_no_more_lines_ends_the_campaign_in_one_line(tmp_path: Path, run: Run) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin("spacer", ["--status-seconds=0.2"])
    folder.statistics.rmdir()
    folder.statistics.symlink_to("/dev/full/nowhere")
    ended = run("--resume=run")
    assert ended.code == 2, ended.err
    assert "cannot write" in ended.err
