"""All that a task has started ends with its worker."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.targets import comes_true, ends

# The child starts a process in a group of its own, which starts another one and ends: that one's parent is gone.
_CHILD = """
import os, subprocess, sys, time
if len(sys.argv) == 2:
    subprocess.Popen([sys.executable, __file__, sys.argv[1], "middle"], start_new_session=True)
    time.sleep(1000)
elif sys.argv[2] == "middle":
    subprocess.Popen([sys.executable, __file__, sys.argv[1], "last"], start_new_session=True)
else:
    with open(sys.argv[1] + ".new", "w") as file:
        file.write(str(os.getpid()))
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    time.sleep(1000)
"""
_WORKER = """
import os, subprocess, sys
command = [sys.executable, "-m", "chcfuzz.cluster.guard", str(os.getpid()), sys.executable, *sys.argv[1:]]
subprocess.Popen(command, process_group=0).wait()
"""


@pytest.fixture
def worker(tmp_path: Path) -> subprocess.Popen[bytes]:
    """A process with a guarded child, whose grandchild has lost its parent and has written its id."""
    (tmp_path / "child.py").write_text(_CHILD)
    pid = tmp_path / "pid"
    process = subprocess.Popen([sys.executable, "-c", _WORKER, str(tmp_path / "child.py"), str(pid)])
    assert comes_true(pid.exists)
    return process


def test_a_grandchild_without_parent_dies_with_the_worker(tmp_path: Path, worker: subprocess.Popen[bytes]) -> None:
    grandchild = int((tmp_path / "pid").read_text())
    started = [process.pid for process in psutil.Process(worker.pid).children(recursive=True)]
    assert grandchild in started
    worker.kill()
    worker.wait()
    assert all(map(ends, started))


def test_a_guard_that_is_asked_to_end_lets_the_command_end(tmp_path: Path) -> None:
    script = 'import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: sys.exit(7)); open(sys.argv[1], "w"); '
    command = [sys.executable, "-m", "chcfuzz.cluster.guard", str(os.getpid()), sys.executable, "-c"]
    with subprocess.Popen([*command, f"{script}time.sleep(1000)", str(tmp_path / "ready")]) as guard:
        assert comes_true((tmp_path / "ready").exists)
        guard.send_signal(signal.SIGINT)
        assert guard.wait() == 7


def test_a_guard_whose_worker_died_first_starts_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "chcfuzz.cluster.guard", "1", "/usr/bin/touch", str(tmp_path / "begun")]
    assert subprocess.run(command, check=False).returncode == 1
    assert not (tmp_path / "begun").exists()
