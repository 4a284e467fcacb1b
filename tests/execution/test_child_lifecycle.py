"""The lifecycle of child processes: their streams, signals for all that they started, and their one end."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chcfuzz.execution.child_process import ChildProcess, ProcessExit
from chcfuzz.solvers.process_group import Streams, exited

from tests.targets import comes_true, lives

Start = Callable[..., ChildProcess]
FOREVER = "import time; time.sleep(3600)"


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[ChildProcess] = []

    def process(code: str, *arguments: object, **more: str) -> ChildProcess:
        streams = Streams(subprocess.DEVNULL, subprocess.DEVNULL, subprocess.DEVNULL)
        started.append(ChildProcess(["-c", code, *map(str, arguments)], streams, more))
        return started[-1]

    yield process
    for each in started:
        each.end()


@pytest.mark.parametrize(
    ("code", "description", "death"),
    [
        (0, "exited with code 0", "it ends the process with exit code 0"),
        (7, "exited with code 7", "it ends the process with exit code 7"),
        (-9, "was killed by signal 9 (Killed)", "it dies of signal 9"),
    ],
)
def test_an_exit_is_described(code: int, description: str, death: str) -> None:
    assert (ProcessExit(code).description, ProcessExit(code).as_death) == (description, death)


@pytest.mark.parametrize(
    ("code", "is_from_outside"),
    [(-9, True), (-15, True), (-2, True), (-11, False), (-6, False), (9, False), (0, False)],
)
def test_some_signals_come_from_outside(code: int, is_from_outside: bool) -> None:
    assert ProcessExit(code).is_from_outside is is_from_outside


def test_a_process_has_a_group_an_environment_and_an_exit_of_its_own(start: Start, tmp_path: Path) -> None:
    code = "import os, sys; print(os.getpid(), os.getpgid(0), os.environ['MORE'], file=open(sys.argv[1], 'w')); exit(7)"
    process = start(code, tmp_path / "file", MORE="here")
    assert process.reap() == ProcessExit(7)
    assert (tmp_path / "file").read_text() == f"{process.pid} {process.pid} here\n"
    assert process.end() == process.reap() == ProcessExit(7), "an exit is known for ever"
    assert process.has_exited()


def test_waiting_returns_the_processes_that_have_exited_in_their_order(start: Start) -> None:
    slow, one, two = start(FOREVER), start("pass"), start("pass")
    assert exited([slow], 0.0) == []
    assert not slow.has_exited(0.01)
    while len(found := exited([two, slow, one], None)) < 2:
        pass
    assert found == [two, one]
    assert one.has_exited()


PARENT = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(child.pid))
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(3600)
"""


def test_the_end_of_a_process_is_that_of_all_it_has_started(start: Start, tmp_path: Path) -> None:
    process = start(PARENT, tmp_path / "pid")
    assert comes_true((tmp_path / "pid").exists)
    child = int((tmp_path / "pid").read_text())
    assert lives(child)
    assert process.end() == ProcessExit(-signal.SIGKILL)
    assert comes_true(lambda: not lives(child))


TERMINATED = """
import signal, sys, time
def end(*_):
    time.sleep(float(sys.argv[2]))
    sys.exit(5)
signal.signal(signal.SIGTERM, end)
open(sys.argv[1], "w").close()
time.sleep(3600)
"""


@pytest.mark.parametrize(("needs", "grace", "code"), [(0.0, 100.0, 5), (3600.0, 0.1, -9), (0.0, 0.0, -9)])
def test_a_process_may_end_itself_while_it_has_grace(
    start: Start, tmp_path: Path, needs: float, grace: float, code: int
) -> None:
    process = start(TERMINATED, tmp_path / "ready", needs)
    assert comes_true((tmp_path / "ready").exists)
    assert process.end(grace) == ProcessExit(code)


def test_a_signal_resumes_a_process_that_was_suspended(start: Start) -> None:
    process = start(FOREVER)
    os.kill(process.pid, signal.SIGSTOP)
    process.signal(signal.SIGTERM)
    assert process.has_exited(100.0)
    assert process.reap() == ProcessExit(-signal.SIGTERM)
    process.signal(signal.SIGTERM)
    process.kill()


def test_nothing_stays_open_after_the_end(start: Start) -> None:
    process = start(FOREVER)
    descriptor = process.fileno()
    os.fstat(descriptor)
    process.end()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


def test_the_priority_is_lowered_by_a_number(start: Start) -> None:
    process = start(FOREVER)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    process.lower_priority(1)
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(own + 1, 19)
    process.end()
    process.lower_priority(1)
