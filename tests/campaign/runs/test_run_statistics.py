"""Lines of a campaign survive kills and power cuts, stay few, and add up."""

import json
import resource
from pathlib import Path

import pytest
from chcfuzz.campaign.runs import run_statistics
from chcfuzz.campaign.runs.run_statistics import END, FINDING, PROGRESS, SESSION, Statistics
from chcfuzz.execution.solving import UsageError

COUNTS = ("executions", "solved", "traces", "transitions", "waiting", "crashes", "replaced", "units")
NOTHING = {**dict.fromkeys((*COUNTS, "corpus_bytes", "memory_bytes"), 0), "findings": {}, "counters": {}}
WITH_EDGES = json.dumps({"type": "progress", "session": 1, "seconds": 1, **NOTHING, "edges": 7})


def a_session(folder: Path, lines: int, ends: bool = True) -> Statistics:
    written = Statistics(folder)
    written.write(SESSION, 0.0, headline="Z3")
    for number in range(lines):
        written.write(PROGRESS, 10.0 * number, **{**NOTHING, "executions": number})
    written.write(FINDING, 10.0, kind="wrong-sat", name="wrong-sat-1")
    if ends:
        written.write(END, 10.0 * lines, why="done")
    return written


def test_what_is_written_is_read_session_by_session(tmp_path: Path) -> None:
    a_session(tmp_path, 3)
    a_session(tmp_path, 2, ends=False)
    (first, second), damaged = run_statistics.read(tmp_path)
    assert (first.number, second.number, damaged) == (1, 2, 0)
    assert [line["executions"] for line in first.progress] == [0, 1, 2]
    assert first.head["headline"] == "Z3"
    assert first.findings[0]["name"] == "wrong-sat-1"
    assert first.end is not None
    assert first.end["why"] == "done"
    assert second.end is None
    assert second.last == {**NOTHING, "type": "progress", "session": 2, "seconds": 10.0, "executions": 1}


@pytest.mark.parametrize(
    "torn",
    [
        '{"type":"progress","session":1,"secon',
        "\0" * 4096,
        '{"type":"progress"}',
        '{"type":"progress","session":1,"seconds":2}',
        '{"type":"finding","session":1,"seconds":2,"kind":"crash"}',
        '{"type":"session","session":1,"seconds":"x"}',
        WITH_EDGES,
        "[1]",
        "é",
    ],
)
def test_a_torn_last_line_is_left_out_and_the_next_session_is_whole(tmp_path: Path, torn: str) -> None:
    a_session(tmp_path, 3, ends=False)
    (file,) = run_statistics.parts(tmp_path)
    with open(file, "a", encoding="latin-1") as end:
        end.write(torn)
    a_session(tmp_path, 2)
    (first, second), damaged = run_statistics.read(tmp_path)
    assert len(first.progress) == 3
    assert second.end is not None
    assert damaged == 1


def test_statistics_of_another_format_are_refused(tmp_path: Path) -> None:
    line = {"type": SESSION, "session": 1, "seconds": 0, "format": "chcfuzz-statistics 9"}
    (tmp_path / "0001-0001.jsonl").write_text(json.dumps(line))
    with pytest.raises(UsageError, match="is not of the format 'chcfuzz-statistics 1'"):
        run_statistics.read(tmp_path)


def test_a_long_campaign_stays_bounded_and_keeps_its_totals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_statistics, "MOST_OF_A_PART", 4000)
    monkeypatch.setattr(run_statistics.make_room, "__defaults__", (32000,))
    for _ in range(3):
        a_session(tmp_path, 400)
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 32000 + 4000 + 800
    sessions, damaged = run_statistics.read(tmp_path)
    assert damaged == 0
    assert [session.number for session in sessions] == [1, 2, 3]
    for session in sessions:
        assert session.last is not None
        assert session.last["executions"] == 399
        assert session.findings
        assert session.end is not None
        seconds = [line["seconds"] for line in session.progress]
        assert seconds == sorted(seconds)
    assert len(sessions[0].progress) < 100


def test_a_cut_between_the_two_steps_of_making_room_counts_no_line_twice(tmp_path: Path) -> None:
    a_session(tmp_path, 50)
    (file,) = run_statistics.parts(tmp_path)
    lines = file.read_text().splitlines(keepends=True)
    (tmp_path / "0001-0002.jsonl").write_text("".join(lines[::2]) + lines[-1])
    (session,), _ = run_statistics.read(tmp_path)
    assert len(session.progress) == 50


def test_a_line_that_a_full_disk_has_torn_does_not_damage_the_next_one(tmp_path: Path) -> None:
    written = a_session(tmp_path, 1, ends=False)
    (file,) = run_statistics.parts(tmp_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 9, hard))
    try:
        with pytest.raises(UsageError, match="File too large"):
            written.write(END, 1.0, why="disk")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    written.write(END, 2.0, why="disk")
    (session,), damaged = run_statistics.read(tmp_path)
    assert damaged == 1
    assert session.end is not None
    assert session.end["seconds"] == 2.0


def test_a_reader_meanwhile_misses_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        a_session(tmp_path, 1)
    listed = run_statistics.parts(tmp_path)
    run_statistics.make_room(tmp_path, most=10)
    monkeypatch.setattr(run_statistics, "parts", lambda _folder: listed)
    assert len(run_statistics.read(tmp_path)[0]) == 2


def test_what_can_be_left_out_no_more_stays(tmp_path: Path) -> None:
    for _ in range(5):
        a_session(tmp_path, 1)
    run_statistics.make_room(tmp_path, most=10)
    assert len(run_statistics.parts(tmp_path)) == 1
    sessions, _ = run_statistics.read(tmp_path)
    assert [len(session.progress) for session in sessions] == [1] * 5


def test_a_folder_that_takes_no_line_is_told_in_one(tmp_path: Path) -> None:
    written = Statistics(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="nowhere"):
        written.write(SESSION, 0.0)


def test_lines_of_any_other_file_are_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").write_text(json.dumps({"type": "progress", "session": 9, "seconds": 1}) + "\n")
    assert run_statistics.read(tmp_path) == ([], 0)
