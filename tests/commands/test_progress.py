"""Long work prints lines on its progress, with and without a terminal."""

from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.commands.main import main
from chcfuzz.commands.tables import progress_lines
from chcfuzz.experiments.trials import Trials
from chcfuzz.grammar.printable import clock
from chcfuzz.solvers.z3_release import print_size


def test_without_a_terminal_each_stage_has_a_line_and_then_one_in_each_interval(
    capsys: pytest.CaptureFixture[str],
) -> None:
    times = iter([0.0, 10.0, 31.0, 31.0, 32.0, 40.0])
    show = progress_lines(30.0, lambda: next(times))
    for stage, done in (("releases", 0), ("releases", 1), ("releases", 2), ("commits", 0), ("commits", 1)):
        show(stage, done, 9)
    assert capsys.readouterr().err.splitlines() == [
        "chcfuzz: releases: 0 of 9",
        "chcfuzz: releases: 2 of 9",
        "chcfuzz: commits: 0 of 9",
    ]


def test_the_size_of_a_download_is_printed_when_it_begins(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (
        "Collecting z3-solver==4.13.3.0\n",
        "  Downloading z3_solver-4.13.3.0-py3-none-manylinux2014_x86_64.whl.metadata (757 bytes)\n",
        "Downloading z3_solver-4.13.3.0-py3-none-manylinux2014_x86_64.whl (28.1 MB)\n",
    ):
        print_size(line)
    assert capsys.readouterr().err == "chcfuzz: downloading 28.1 MB\n"


def test_trials_print_the_time_that_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]

    class Ending:
        """Trials that take 100 seconds each."""

        def __init__(self, _jobs: int, report: Callable[[Trials, int, int], None]) -> None:
            self.report = report

        def run(self, wanted: list[tuple[Trials, int]]) -> list[int]:
            for of, seed in wanted:
                now[0] += 100.0
                self.report(of, seed, 0)
            return [0 for _ in wanted]

    monkeypatch.setattr("chcfuzz.experiments.trials.Runner", Ending)
    monkeypatch.setattr("chcfuzz.commands.trials.time.monotonic", lambda: now[0])
    (tmp_path / "corpus").mkdir()
    words = ["trials", "3", "--into", str(tmp_path / "into"), "--", "-runs=1", str(tmp_path / "corpus")]
    assert main(words) == 0
    ended = [line for line in capsys.readouterr().err.splitlines() if "has ended" in line]
    assert ended == [
        "chcfuzz: trial 1 has ended; 1 of 3, about 3:20 min left",
        "chcfuzz: trial 2 has ended; 2 of 3, about 1:40 min left",
        "chcfuzz: trial 3 has ended; 3 of 3",
    ]


@pytest.mark.parametrize(
    ("seconds", "text"), [(42.9, "42 s"), (187, "3:07 min"), (18_180, "5:03 h"), (187_200, "2 d 4 h")]
)
def test_a_duration_has_the_two_units_that_matter(seconds: float, text: str) -> None:
    assert clock(seconds) == text
