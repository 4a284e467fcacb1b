"""Trials are campaigns that differ in their seed; complete ones are kept, interrupted ones run again."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.runs.run_statistics import END, SESSION, Statistics
from chcfuzz.commands import main
from chcfuzz.execution.solving import UsageError
from chcfuzz.experiments.trials import FILE, Runner, Trials, folders
from chcfuzz.solvers.process import state_of

from tests.targets import ROOT, SAFETY_NET, comes_true


def trials(folder: Path, *words: str) -> Trials:
    return Trials(folder, words or ("-runs=5",), 3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-runs=5", "-seed=1"), "-seed is set"),
        (("-runs=5", "--run-dir=x"), "--run-dir is set"),
        (("--rlimit=5",), "never end"),
    ],
)
def test_flags_that_make_no_trials_are_refused(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        trials(tmp_path, *words).prepare()


def test_other_flags_need_another_folder(tmp_path: Path) -> None:
    trials(tmp_path).prepare()
    trials(tmp_path).prepare()
    with pytest.raises(UsageError, match="with other flags \\(-runs=5\\)"):
        trials(tmp_path, "-runs=6").prepare()


@pytest.mark.parametrize(("why", "is_complete"), [("done", True), ("time", True), ("signal", False), (None, False)])
def test_only_a_trial_that_ended_by_itself_is_complete(tmp_path: Path, why: str | None, is_complete: bool) -> None:
    some = trials(tmp_path)
    lines = some.path(2) / "statistics"
    lines.mkdir(parents=True)
    written = Statistics(lines)
    written.write(SESSION, 0.0, headline="")
    if why is not None:
        written.write(END, 1.0, why=why)
    assert some.is_complete(2) is is_complete
    assert not some.is_complete(1)


def test_the_target_follows_from_the_flags(tmp_path: Path) -> None:
    assert "chcfuzz.fuzz_targets.spacer" in trials(tmp_path).command(1)
    command = trials(tmp_path, "-runs=5", "--command=z3").command(2)
    assert "chcfuzz.fuzz_targets.chc_command" in command
    assert "-seed=2" in command


def test_a_folder_without_trials_has_none(tmp_path: Path) -> None:
    assert folders(tmp_path) == []


class Programs(Trials):
    """Trials that run the first word, a program of Python, with their seeds."""

    def command(self, seed: int) -> list[str]:
        return [sys.executable, "-c", self.words[0], str(seed), str(self.path(seed))]


def refused(code: int, *lines: str) -> str:
    return f"import sys; print({chr(10).join(lines)!r}, file=sys.stderr); sys.exit({code})"


def nothing(_trials: Trials, _seed: int, _code: int) -> None:
    pass


def test_a_trial_without_room_is_reported_by_its_message_and_ends_the_others(tmp_path: Path) -> None:
    lines = ("chcfuzz: cannot write 'corpus': make room", "chcfuzz: summary", "  next hour   no estimate")
    some = Programs(tmp_path, (f"import pathlib, sys; pathlib.Path(sys.argv[2]).touch(); {refused(2, *lines)}",), 3)
    with pytest.raises(UsageError, match="trial 1: cannot write 'corpus': make room"):
        Runner(1, nothing).run([(some, seed) for seed in some.seeds])
    assert [path.name for path in tmp_path.iterdir()] == ["trial-001"]


def test_a_trial_that_still_runs_is_not_deleted(tmp_path: Path) -> None:
    some = Programs(tmp_path, ("",), 1)
    with RunFolder(some.path(1)).locked(), pytest.raises(UsageError, match=r"a campaign runs in '.*trial-001'"):
        Runner(1, nothing).run([(some, seed) for seed in some.seeds])
    assert some.path(1).is_dir()


RUNNER = """
import pathlib
from tests.experiments.test_trials import Programs, Runner, nothing
some = Programs(pathlib.Path({0!r}), ({1!r},), 1)
Runner(1, nothing).run([(some, seed) for seed in some.seeds])
"""
TRIAL = "import os, pathlib, sys, time; pathlib.Path(sys.argv[2]).write_text(str(os.getpid())); time.sleep(600)"


def test_sigterm_ends_the_campaigns_too(tmp_path: Path) -> None:
    runner = subprocess.Popen([sys.executable, "-c", RUNNER.format(str(tmp_path), TRIAL)], cwd=ROOT)
    file = tmp_path / "trial-001"
    assert comes_true(lambda: file.exists() and file.read_text().isdecimal())
    runner.terminate()
    runner.wait(SAFETY_NET)
    assert state_of(int(file.read_text())) in ("", "Z")


@pytest.mark.slow
def test_trials_are_run_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--", "-runs=3", "--second-opinion=0", str(ROOT / "corpus" / "bv")]
    assert main.main(["trials", "2", "--into", str(tmp_path / "t"), "--jobs", "2", *words]) == 0
    assert "2 of 2" in capsys.readouterr().err
    paths = folders(tmp_path / "t")
    assert [
        json.loads((path / "run.json").read_bytes())["words"].count(f"-seed={n}") for n, path in enumerate(paths, 1)
    ] == [
        1,
        1,
    ]
    before = [path.stat().st_mtime_ns for path in paths]
    assert main.main(["trials", "2", "--into", str(tmp_path / "t"), *words]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "3 executions after" in line, "no trial is reported"
    assert [path.stat().st_mtime_ns for path in paths] == before
    assert (tmp_path / "t" / FILE).is_file()


def test_pinned_trials_have_one_processor_each_and_this_process_keeps_its_own(tmp_path: Path) -> None:
    before = os.sched_getaffinity(0)
    code = "import os, sys; open(sys.argv[2], 'w').write(str(len(os.sched_getaffinity(0))))"
    some = Programs(tmp_path, (code,), 2)
    Runner(2, nothing, is_pinned=True).run([(some, seed) for seed in some.seeds])
    assert [some.path(seed).read_text() for seed in some.seeds] == ["1", "1"]
    assert os.sched_getaffinity(0) == before


def test_a_part_of_an_array_runs_its_own_trials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[int] = []

    def run(_runner: Runner, given: Sequence[tuple[Trials, int]]) -> list[int]:
        wanted.extend(seed for _, seed in given)
        return [0] * len(given)

    monkeypatch.setattr(Runner, "run", run)
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for part in ("1/2", "2/2"):
        words = ["--shard", part, "5", "--into", str(tmp_path / "t"), "--", "-runs=5", str(corpus)]
        assert main.main(["trials", *words]) == 0
    assert wanted == [1, 3, 5, 2, 4]
