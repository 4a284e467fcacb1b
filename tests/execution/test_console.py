"""Console output: names of systems and files move no cursor, and a closed stream or a full disk ends nothing."""

import datetime
import os
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.execution.console import ERASE, LOG, REDRAWS, WORKER_LOG, log, print_error, print_to, show_status


def test_a_line_about_a_hostile_name_moves_no_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    print_error("wrong model: |n\x1b]0;title\x07|\nsecond line")
    assert capsys.readouterr().err == "wrong model: |n\\x1b]0;title\\x07|\nsecond line\n"


def test_what_is_printed_erases_a_status_line_that_is_redrawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REDRAWS, "1")
    print_error("a line")
    show_status("1 of 2\x07")
    show_status("")
    assert capsys.readouterr().err == f"{ERASE}a line\n{ERASE}1 of 2\\x07{ERASE}"


def test_lines_for_people_are_logged_with_their_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "log"
    monkeypatch.setenv(LOG, str(file))
    print_error("one\ntwo\x07")
    log("three")
    show_status("not this")
    times, lines = zip(*(line.split(" ", 1) for line in file.read_text().splitlines()), strict=True)
    assert lines == ("one", "two\\x07", "three")
    for time in times:
        written = datetime.datetime.fromisoformat(time)
        assert abs(datetime.datetime.now(datetime.UTC) - written) < datetime.timedelta(hours=1)


def test_a_log_file_that_cannot_be_written_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(LOG, str(tmp_path / "absent" / "log"))
    print_error("a line")
    assert capsys.readouterr().err == "a line\n"


def test_a_stream_that_cannot_be_written_takes_no_more(tmp_path: Path) -> None:
    with open("/dev/full", "w") as stream:
        print_to("lost", stream)
        print_to("lost too", stream)
        assert os.readlink(f"/proc/self/fd/{stream.fileno()}") == os.devnull
    with open(tmp_path / "file", "w") as stream:
        print_to("kept", stream)
        assert (tmp_path / "file").read_text() == "kept\n", "it is flushed"


DIVERTED = """
import os, sys
from chcfuzz.execution.console import WORKER_LOG, divert

print("before", file=sys.stderr)
divert()
os.write(2, b"of the solver\\n")
print("of Python", file=sys.stderr)
assert WORKER_LOG not in os.environ
os.write(2, b"and more\\n")
"""


@pytest.mark.parametrize(
    ("name", "on_console", "in_file"),
    [
        ("log", "before\nof Python\n", "earlier\nof the solver\nand more\n"),
        ("absent/log", "before\nof the solver\nof Python\nand more\n", None),
        ("", "before\nof the solver\nof Python\nand more\n", None),
    ],
)
def test_others_write_to_the_log_of_a_worker_and_python_to_the_console(
    tmp_path: Path, name: str, on_console: str, in_file: str | None
) -> None:
    (tmp_path / "log").write_text("earlier\n")
    environment = {**os.environ, WORKER_LOG: str(tmp_path / name) if name else ""}
    command = [sys.executable, "-c", DIVERTED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == on_console
    assert (tmp_path / "log").read_text() == (in_file or "earlier\n")
