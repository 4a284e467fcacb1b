"""A command under limits: its reported end, and no remaining processes. Sessions are real ones."""

import itertools
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from chcfuzz.solvers import process
from chcfuzz.solvers.process import MEMORY, WALL_CLOCK, members, resident, run

from tests.targets import comes_true, ends, lives

LONG = 60.0
HERE = Path.cwd()
PLENTY = 4096


def shell(script: str, wall_seconds: float = LONG, megabytes: int = PLENTY) -> process.Ended:
    return run(["sh", "-c", script], wall_seconds, megabytes, HERE)


def python(script: str, wall_seconds: float = LONG, megabytes: int = PLENTY) -> process.Ended:
    return run([sys.executable, "-c", textwrap.dedent(script)], wall_seconds, megabytes, HERE)


def test_output_and_exit_code_of_a_command_are_returned() -> None:
    ended = shell("echo one; echo two >&2; exit 3")
    assert (ended.code, ended.out, ended.err, ended.stopped) == (3, "one\n", "two\n", "")


def test_output_that_comes_between_two_looks_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy(subprocess.Popen[bytes]):
        """A command on a busy machine: much happens until this process learns whether it has ended."""

        def poll(self) -> int | None:
            time.sleep(0.4)
            return super().poll()

    monkeypatch.setattr(subprocess, "Popen", Busy)
    assert shell("sleep 0.2; echo sat").out == "sat\n"


def test_output_that_is_not_text_is_returned_as_text() -> None:
    assert shell(r"printf 'a\377b'").out == "a\ufffdb"


def test_a_signal_is_returned_as_a_negative_code() -> None:
    assert shell("kill -SEGV $$").code == -signal.SIGSEGV


def test_standard_input_is_empty() -> None:
    assert shell("cat; echo read").out == "read\n"


@pytest.fixture
def result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that a command creates once its earlier output has been read; the clock of `process.run` starts then."""
    file = tmp_path / "result"
    looks = itertools.count()
    monkeypatch.setattr(
        process,
        "time",
        SimpleNamespace(monotonic=lambda: LONG * next(looks) if file.exists() else 0.0, sleep=time.sleep),
    )
    return file


def test_the_wall_clock_ends_a_command_and_its_output_is_kept(result: Path) -> None:
    ended = shell(f"echo first; touch {result}; exec sleep 100", wall_seconds=1)
    assert (ended.stopped, ended.code, ended.out) == (WALL_CLOCK, -signal.SIGKILL, "first\n")


def test_a_command_that_closes_its_output_is_limited_too() -> None:
    assert shell("exec >&- 2>&-; exec sleep 100", wall_seconds=1).stopped == WALL_CLOCK


def test_memory_is_not_looked_at_with_every_piece_of_output(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    monkeypatch.setattr(process, "resident", lambda session: looks.append(session) or 0)
    monkeypatch.setattr(time, "monotonic", iter([x / 1000 for x in range(2000)]).__next__)
    clock = process.Clock(10, 1)
    for _ in range(1000):  # a second
        assert clock.reached(7) == ""
    assert looks == [7] * 4


def test_memory_is_limited() -> None:
    ended = python("import time; kept = [bytearray(1 << 20) for _ in range(600)]; time.sleep(100)", megabytes=300)
    assert (ended.stopped, ended.out) == (MEMORY, "")


def test_the_memory_of_children_counts() -> None:
    ended = python(
        """
        import subprocess, sys
        child = "import time; kept = [bytearray(1 << 20) for _ in range(150)]; time.sleep(100)"
        children = [subprocess.Popen([sys.executable, "-c", child]) for _ in range(4)]
        [child.wait() for child in children]
        """,
        megabytes=400,
    )
    assert ended.stopped == MEMORY


def test_memory_that_is_reserved_but_not_used_is_no_matter() -> None:
    """As a Java machine does."""
    ended = python("import mmap; held = mmap.mmap(-1, 8 << 30, flags=0x22); print('fine')", megabytes=300)
    assert (ended.stopped, ended.out) == ("", "fine\n")


def test_more_output_than_is_kept_is_read_and_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MOST_OUTPUT", 1000)
    ended = python("import sys; sys.stdout.write('x' * 1_000_000); sys.stderr.write('y' * 1_000_000)")
    assert (ended.code, ended.out, ended.err, ended.is_cut) == (0, "x" * 1000, "y" * 1000, True)


def test_children_end_with_their_command() -> None:
    ended = shell("sleep 102 & echo $!; exec >&- 2>&-; exit 0")
    assert not lives(int(ended.out))


def test_children_end_with_their_command_when_it_is_ended(result: Path) -> None:
    ended = shell(f"sleep 102 & echo $!; exec >&- 2>&-; touch {result}; exec sleep 101", wall_seconds=1)
    assert ended.stopped == WALL_CLOCK
    assert not lives(int(ended.out))


def test_a_child_that_holds_the_output_does_not_hold_the_command() -> None:
    assert shell("sleep 103 & echo done").stopped == ""


def test_children_of_another_process_group_end_too() -> None:
    ended = shell("set -m; sleep 104 & echo $!; exit 0")
    assert not lives(int(ended.out))


def test_a_program_that_is_not_there_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        run(["/nowhere/at/all"], LONG, PLENTY, HERE)


def test_an_exception_in_the_middle_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def interrupted(started: subprocess.Popen[bytes], *_: float) -> None:
        seen.append(started.pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(process, "_followed", interrupted)
    with pytest.raises(KeyboardInterrupt):
        shell("exec sleep 105")
    assert not lives(seen[0])


def watched(command: str, wall_seconds: float, pid_file: Path) -> tuple[subprocess.Popen[bytes], int]:
    """A process that runs a shell command, and the process whose number that one has written."""
    script = f"from chcfuzz.solvers.process import run\nrun(['sh', '-c', {command!r}], {wall_seconds}, 4096, '.')"
    replaced = "import os; os.cpu_count = lambda: 1; import time; time.monotonic = lambda: 0.0"
    watcher = subprocess.Popen([sys.executable, "-c", f"{replaced}\n{script}"])
    assert comes_true(lambda: pid_file.exists() and bool(pid_file.read_text().strip()))
    return watcher, int(pid_file.read_text())


def test_a_command_whose_watcher_was_killed_ends_with_it(tmp_path: Path) -> None:
    watcher, pid = watched(f"echo $$ > {tmp_path / 'pid'}; while :; do :; done", 86400, tmp_path / "pid")
    watcher.kill()
    watcher.wait()
    assert ends(pid)


@pytest.mark.slow
def test_what_such_a_command_has_started_ends_by_its_processor_time(tmp_path: Path) -> None:
    """That is limited to more than the wall clock, so it shows only without a watcher."""
    watcher, pid = watched(f"while :; do :; done & echo $! > {tmp_path / 'pid'}; wait", 0.1, tmp_path / "pid")
    assert comes_true(lambda: processor_limit(pid) == "3")
    watcher.kill()
    watcher.wait()
    assert ends(pid)  # three seconds of processor time


def test_a_wall_clock_beyond_every_limit_is_none() -> None:
    assert shell("echo done", wall_seconds=1e30).out == "done\n"


def processor_limit(pid: int) -> str:
    limits = Path(f"/proc/{pid}/limits").read_text().splitlines()
    return next(line.split()[3] for line in limits if "cpu time" in line)


def test_the_members_of_a_session_are_found_and_weighed() -> None:
    holder = subprocess.Popen(["sh", "-c", "sleep 106 & exec sleep 106"], start_new_session=True)
    try:
        assert comes_true(lambda: len(members(holder.pid)) == 2)
        assert holder.pid in members(holder.pid)
        assert os.getpid() not in members(holder.pid)
        assert resident(holder.pid) > 0
    finally:
        os.killpg(holder.pid, signal.SIGKILL)
        holder.wait()


def test_a_command_that_ended_while_we_were_paused_has_not_run_into_its_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, *(1000.0 * hour for hour in range(10_000))])
    monkeypatch.setattr("chcfuzz.solvers.process.time.monotonic", lambda: next(clock))
    assert run(["echo", "sat"], LONG, PLENTY, HERE).out == "sat\n"


def test_the_state_of_a_process_is_a_letter() -> None:
    sleeper = subprocess.Popen(["sleep", "107"])
    try:
        assert comes_true(lambda: process.state_of(sleeper.pid) == "S")
        sleeper.send_signal(signal.SIGSTOP)
        assert comes_true(lambda: process.state_of(sleeper.pid) == "T")
        sleeper.kill()
        assert comes_true(lambda: process.state_of(sleeper.pid) == "Z")
    finally:
        sleeper.kill()
        sleeper.wait()
    assert process.state_of(sleeper.pid) == ""
