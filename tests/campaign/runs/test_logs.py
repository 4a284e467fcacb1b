"""Log files are bounded, and what others write to a worker's descriptor goes to a file of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.campaign.runs import logs as module
from chcfuzz.campaign.runs.logs import Logs, logged
from chcfuzz.execution.console import LOG, WORKER_LOG, print_error


def test_lines_for_people_are_logged_with_the_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = Logs(tmp_path / "logs")
    with logged(logs, {}):
        print_error("one\ntwo\x1b[31m")
    print_error("not logged")
    first, second = logs.campaign.read_text().splitlines()
    assert first.endswith("+00:00 one")
    assert second.endswith("+00:00 two\\x1b[31m")
    assert "not logged" in capsys.readouterr().err
    assert LOG not in os.environ


def test_a_folder_that_cannot_be_written_prevents_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logs").write_text("a file")
    with logged(Logs(tmp_path / "logs"), {}):
        print_error("one")
    assert capsys.readouterr().err == "one\n"


def test_large_files_are_rotated_and_the_oldest_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 3)
    logs = Logs(tmp_path)
    with open(logs.of_worker(0), "ab", buffering=0) as held:
        for number in range(6):
            held.write(b"%d\n" % number * 2)
            logs.campaign.write_text(f"{number}\n" * 2)
            logs.rotate()
        assert logs.of_worker(0).read_bytes() == b""
    for name in ("worker-0.log", "campaign.log"):
        assert [(tmp_path / f"{name}.{age}").read_text()[0] for age in (1, 2, 3)] == ["5", "4", "3"]
        assert not (tmp_path / f"{name}.4").exists()


def test_small_files_stay(tmp_path: Path) -> None:
    logs = Logs(tmp_path)
    logs.campaign.write_text("small\n")
    logs.rotate()
    assert [path.name for path in tmp_path.iterdir()] == ["campaign.log"]


def test_the_reason_of_libfuzzer_is_found_in_its_log(tmp_path: Path) -> None:
    logs = Logs(tmp_path)
    assert logs.last_error(0) == ""
    logs.of_worker(0).write_text("INFO: fine\nERROR: no such file\nbye\n")
    assert logs.last_error(0) == "ERROR: no such file"


DIVERTED = """
import os, sys
from chcfuzz.execution import console
console.divert()
os.write(2, b"of libFuzzer\\n")
console.print_error("of chcfuzz")
"""


def test_a_worker_prints_and_libfuzzer_logs(tmp_path: Path) -> None:
    for file, printed in ((tmp_path / "log", "of chcfuzz\n"), (tmp_path / "no" / "log", "of libFuzzer\nof chcfuzz\n")):
        environment = {**os.environ, WORKER_LOG: str(file)}
        done = subprocess.run([sys.executable, "-c", DIVERTED], env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, printed)
    assert (tmp_path / "log").read_text() == "of libFuzzer\n"
