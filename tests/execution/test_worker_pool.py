"""Processes that answer questions: what is not seen through those who use them (tests/triage)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import Answering, AnsweringError, Panel, death, is_death


@pytest.mark.parametrize(("code", "is_one"), [(-11, True), (70, True), (114, True), (0, False), (1, False), (2, False)])
def test_a_solvers_death_is_a_signal_or_an_exit_code_of_its_own(code: int, is_one: bool) -> None:
    assert is_death(code) is is_one


def test_a_death_in_words_names_the_signal_or_the_exit_code() -> None:
    assert death(-11) == "it dies of signal 11"
    assert death(114) == "it ends the process with exit code 114"


def test_a_z3_that_cannot_be_had_is_told_in_one_line() -> None:
    process = Answering("chcfuzz.triage.reduce.worker", Solving(z3="1.2.3"))
    with pytest.raises(AnsweringError, match=r"^a process for triage.reduce.worker failed: .*1\.2\.3") as caught:
        process.asked({}, "judged")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("flags", "seconds"), [((), "60.0"), (("--command=true",), "3.0")])
def test_a_clock_that_is_no_judge_is_far_off_and_a_commands_only_limit_is_kept(flags: tuple[str], seconds: str) -> None:
    code = (
        "import sys; from chcfuzz.execution.worker_pool import begun; print(begun()[0].wall_seconds, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "--wall-seconds=3", *flags]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stderr == f"{seconds}\n"


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_asked_for_each_comes_in_their_order(jobs: int) -> None:
    with Panel(lambda: Answering("nothing", Solving()), jobs) as panel:
        assert list(panel.each(lambda number: number * number, range(10))) == [n * n for n in range(10)]


ANSWERING = """
import os, sys
from chcfuzz.execution.worker_pool import begun

_, tell = begun()
from chcfuzz.execution.domain import MOST_LOST
from chcfuzz.solvers import spacer

lost = MOST_LOST
spacer.held_memory = lambda: lost
tell({"ready": True})
for line in sys.stdin:
    lost += "more" in line
    if "ended" in line and not os.path.exists(os.environ.get("ENDED", "")):
        open(os.environ["ENDED"], "w").close() if "once" in line else None
        os.kill(os.getpid(), 9)
    tell({"process": os.getpid()})
"""


@pytest.fixture
def process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Answering]:
    """One that answers with its number, and does what it is told."""
    (tmp_path / "losing.py").write_text(ANSWERING)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}")
    monkeypatch.setenv("ENDED", str(tmp_path / "ended"))
    answering = Answering("losing", Solving())
    yield answering
    answering.end()


def test_one_that_somebody_else_ends_is_asked_again_once(process: Answering) -> None:
    assert "process" in process.asked({"be": "ended once"}, "process")
    (Path(os.environ["ENDED"])).unlink()
    with pytest.raises(AnsweringError, match="was ended from outside, by signal 9"):
        process.asked({"be": "ended"}, "process")


def test_a_process_in_which_z3_has_lost_too_much_memory_is_replaced(process: Answering) -> None:
    first, second, third = (process.asked({"lose": lose}, "process") for lose in ("nothing", "more", "nothing"))
    assert first == second != third
    assert list(first) == ["process"]
