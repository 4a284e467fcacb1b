"""Programs that chcfuzz waits for have a deadline, and nothing that they start survives them or a second signal."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.process_group import ProcessGroup, kill_all, run_program

from tests.targets import SAFETY_NET, comes_true, ends


class LateError(ChcfuzzError):
    """The error of these tests."""


def sleeping(noted: Path, then: str) -> list[str]:
    """Return a command that starts another process and notes its id."""
    return ["sh", "-c", f"sleep 3600 & echo $! > {noted}.new; mv {noted}.new {noted}; {then}"]


def test_a_program_gives_its_code_and_what_it_prints(tmp_path: Path) -> None:
    done = run_program(
        ["sh", "-c", "pwd; echo $A; echo first >&2; echo last >&2; exit 3"], SAFETY_NET, LateError, {"A": "b"}, tmp_path
    )
    assert (done.code, done.out, done.reason) == (3, f"{tmp_path}\nb\n", "last")


def test_after_its_deadline_a_program_and_its_children_are_killed(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    with pytest.raises(LateError, match=r"sh has not ended after 0.5 s, and is killed"):
        run_program(sleeping(noted, "wait"), 0.5, LateError)
    assert not noted.exists() or ends(int(noted.read_text()))


def test_children_that_a_program_leaves_are_ended(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    with ProcessGroup(sleeping(noted, "")) as group:
        group.wait()
    assert ends(int(noted.read_text()))


def test_all_groups_can_be_killed_at_once(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    with ProcessGroup(sleeping(noted, "wait")) as group:
        assert comes_true(noted.exists)
        kill_all()
        group.wait()
        assert group.close() == -signal.SIGKILL
    assert ends(int(noted.read_text()))


STOPPED = """
import signal, sys
from pathlib import Path
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.process_group import run_program, stopped_by_signals
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which `nohup` ignores, also for the tests
with stopped_by_signals():
    try:
        run_program(sys.argv[2:], 3600, ChcfuzzError)
    except KeyboardInterrupt:
        Path(sys.argv[1], "interrupted").touch()
        if Path(sys.argv[1], "again").exists():
            run_program(sys.argv[2:], 3600, ChcfuzzError)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_signal_is_an_interrupt_and_ends_what_runs(tmp_path: Path, number: signal.Signals) -> None:
    noted = tmp_path / "pid"
    command = [sys.executable, "-c", STOPPED, str(tmp_path), *sleeping(noted, "wait")]
    with subprocess.Popen(command) as process:
        assert comes_true(noted.exists)
        process.send_signal(number)
        assert process.wait(SAFETY_NET) == 0
    assert (tmp_path / "interrupted").exists()
    assert ends(int(noted.read_text()))


STARTING = """
import os, signal, subprocess, sys
from pathlib import Path
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.process_group import run_program, stopped_by_signals
class Interrupted(subprocess.Popen):
    def __init__(self, *words, **flags):
        super().__init__(*words, **flags)
        Path(sys.argv[1]).write_text(str(self.pid))
        for _ in range(int(sys.argv[2])):
            os.kill(os.getpid(), signal.SIGTERM)
subprocess.Popen = Interrupted
with stopped_by_signals():
    try:
        run_program(sys.argv[3:], 3600, ChcfuzzError)
    except KeyboardInterrupt:
        sys.exit(9)
"""


@pytest.mark.parametrize(("signals", "code"), [(1, 9), (2, 130)])
def test_a_signal_that_comes_while_a_program_starts_ends_that_program(tmp_path: Path, signals: int, code: int) -> None:
    noted = tmp_path / "pid"
    words = [sys.executable, "-c", STARTING, str(noted), str(signals), "sleep", "3600"]
    assert subprocess.run(words, check=False, timeout=SAFETY_NET).returncode == code
    assert ends(int(noted.read_text()))


DROPPED = """
import os, signal, sys, time, weakref
from chcfuzz.solvers.process_group import stopped_by_signals
def interrupt(_=None):
    os.kill(os.getpid(), getattr(signal, sys.argv[2]))
    for _ in range(1_000):
        pass
class Finalized:
    def __del__(self):
        if sys.argv[1] == "finalizer":
            interrupt()
with stopped_by_signals():
    try:
        value = Finalized()
        reference = weakref.ref(value, interrupt if sys.argv[1] == "callback" else None)
        del value
        time.sleep(3600)
    except KeyboardInterrupt:
        sys.exit(9)
"""


@pytest.mark.parametrize("place", ["finalizer", "callback"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_is_not_lost_where_python_drops_exceptions(place: str, name: str) -> None:
    words = [sys.executable, "-c", DROPPED, place, name]
    done = subprocess.run(words, check=False, timeout=SAFETY_NET, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (9, "")


def test_the_second_signal_ends_a_process_that_cleans_up_and_all_that_it_has_started(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    (tmp_path / "again").touch()
    command = [sys.executable, "-c", STOPPED, str(tmp_path), *sleeping(noted, "wait")]
    with subprocess.Popen(command) as process:
        assert comes_true(noted.exists)
        first = int(noted.read_text())
        noted.unlink()
        process.send_signal(signal.SIGTERM)
        assert comes_true(noted.exists)
        process.send_signal(signal.SIGTERM)
        assert process.wait(SAFETY_NET) == 130
    assert ends(first)
    assert ends(int(noted.read_text()))


def test_a_fork_does_not_kill_what_its_parent_has_started() -> None:
    with ProcessGroup(["sleep", "3600"]) as group:
        if os.fork() == 0:
            kill_all()
            os._exit(0)
        os.wait()
        assert not group.has_exited(0.2)
