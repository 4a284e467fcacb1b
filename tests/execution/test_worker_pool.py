"""Helper processes: behaviour that the tests of their users (tests/triage) do not cover."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from chcfuzz.execution.child_process import ProcessExit
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperError, HelperProcess, ProcessPool

from tests.targets import comes_true, ends


class Query(msgspec.Struct):
    """A query to the helper process below."""

    end: str = ""
    lose: bool = False
    say: str = ""


class Reply(msgspec.Struct, omit_defaults=True):
    """Its reply."""

    process: int = 0
    death: str = ""


@pytest.mark.parametrize(
    ("code", "is_one"),
    [(-11, True), (70, True), (101, True), (114, True), (0, False), (1, False), (2, False), (100, False), (115, False)],
)
def test_a_solver_crash_is_a_signal_or_an_exit_code_of_a_solver(code: int, is_one: bool) -> None:
    assert ProcessExit(code).is_solver_death is is_one


def test_the_stored_description_of_a_death_names_the_signal_or_the_exit_code() -> None:
    assert ProcessExit(-11).as_death == "it dies of signal 11"
    assert ProcessExit(114).as_death == "it ends the process with exit code 114"


def test_a_z3_that_is_not_available_is_one_line() -> None:
    process = HelperProcess("chcfuzz.triage.reduce.worker", Solving(z3="1.2.3"))
    with pytest.raises(
        HelperError, match=r"^the helper process triage.reduce.worker failed: z3-solver '1\.2\.3' is too old"
    ):
        process.request(Query(), Reply)


@pytest.mark.parametrize(("flags", "seconds"), [((), "60.0"), (("--command=true",), "3.0")])
def test_the_wall_clock_is_far_off_unless_it_is_the_only_limit_of_a_command(flags: tuple[str], seconds: str) -> None:
    code = "from chcfuzz.execution.worker_pool import configured; print(configured().wall_seconds)"
    command = [sys.executable, "-c", code, "--wall-seconds=3", *flags]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"{seconds}\n"


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_what_was_given(jobs: int) -> None:
    with ProcessPool(lambda: HelperProcess("nothing", Solving()), jobs) as pool:
        assert list(pool.each(lambda number: number * number, range(10))) == [n * n for n in range(10)]


HELPER = """
import os, subprocess, sys
from chcfuzz.execution.worker_pool import begin
from tests.execution.test_worker_pool import Query, Reply

helper = begin()
from chcfuzz.execution.domain import MOST_LOST
from chcfuzz.solvers import z3_errors

lost = MOST_LOST
z3_errors.held_memory = lambda: lost
helper.ready(Reply(os.getpid()))
for query in helper.queries(Query):
    lost += query.lose
    if query.end and not os.path.exists(os.environ["ENDED"]):
        open(os.environ["ENDED"], "w").close() if query.end == "once" else None
        os.kill(os.getpid(), 9)
    os.write(1, query.say.encode())
    subprocess.run(["echo", query.say])
    print(query.say, file=sys.stderr)
    helper.send(Reply(os.getpid()))
"""


@pytest.fixture
def process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HelperProcess]:
    """Process that answers with its process id and obeys its queries."""
    (tmp_path / "losing.py").write_text(HELPER)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}")
    monkeypatch.setenv("ENDED", str(tmp_path / "ended"))
    process = HelperProcess("losing", Solving())
    yield process
    process.end()


BUSY = """
import os, sys
from pathlib import Path
from chcfuzz.execution.worker_pool import begin
from tests.execution.test_worker_pool import Query, Reply

helper = begin()
helper.ready(Reply(os.getpid()))
for query in helper.queries(Query):
    Path(query.say).write_text(str(os.getpid()))
    while True:
        pass
"""
OWNER = """
import sys
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess
from tests.execution.test_worker_pool import Query, Reply
HelperProcess("busy", Solving()).request(Query(say=sys.argv[1]), Reply)
"""


def test_a_busy_process_ends_with_its_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "busy.py").write_text(BUSY)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}")
    noted = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", OWNER, str(noted)]) as owner:
        assert comes_true(lambda: noted.exists() and bool(noted.read_text()))
        owner.terminate()
    assert ends(int(noted.read_text()))


@pytest.mark.slow
def test_a_process_that_is_killed_from_outside_is_started_again_once(process: HelperProcess) -> None:
    assert process.request(Query(end="once"), Reply).process > 0
    (Path(os.environ["ENDED"])).unlink()
    with pytest.raises(HelperError, match=r"was killed by signal 9 \(Killed\), from outside"):
        process.request(Query(end="always"), Reply)


def test_a_process_in_which_z3_has_leaked_too_much_memory_is_replaced(process: HelperProcess) -> None:
    first, second, third = (process.request(Query(lose=lose), Reply).process for lose in (False, True, False))
    assert first == second != third


@pytest.mark.parametrize("text", ['{"fields": {"process": 1}, "is_last": true}\n', "{}\n", "{" * 100 + "\n", "\n" * 9])
def test_a_solver_that_prints_json_cannot_break_the_protocol(process: HelperProcess, text: str) -> None:
    own = process.request(Query(), Reply)
    assert process.request(Query(say=text), Reply) == own == process.ready(Reply)
    process.end()
    assert process.output.count(text) >= 3
