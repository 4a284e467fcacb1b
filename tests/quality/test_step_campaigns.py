"""bench/oracles/step_campaigns.py: slices of campaigns that judge all solver steps, and what they found."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks import benchmark
from tests.targets import ROOT

step_campaigns = benchmark("oracles.step_campaigns")


def made(arm: str, seed: int, *kinds: str) -> Any:
    """Return a slice with a finding of each of these kinds."""
    found = tuple(
        step_campaigns.Found(f"{kind}-default-{number:06x}-1", "sat", {}, b"") for number, kind in enumerate(kinds)
    )
    return step_campaigns.Slice(arm, seed, 1000, 1800.0, 900, 20, 1, found)


def run(into: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    words = ["-m", "bench.oracles.step_campaigns", f"--into={into}", *arguments]
    return subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)


def test_slices_of_an_arm_are_added_up() -> None:
    slices = [made("old", 1, "wrong-lemma", "crash"), made("new", 1), made("old", 2, "wrong-lemma")]
    head, old, new = step_campaigns.table(slices)
    assert dict(zip(head, old, strict=True)) == {
        "": "old", "slices": 2, "hours": 1.0, "executions": 2000, "judged": 1800, "undecided": 40, "unstable": 2,
        "crash": 1, "wrong-lemma": 2,
    }  # fmt: skip
    assert new[-2:] == [0, 0]


def test_a_folder_with_slices_of_another_length_is_refused(tmp_path: Path) -> None:
    """A slice with more executions would be added to the others as if it were one of them."""
    (tmp_path / "default").mkdir()
    (tmp_path / "default" / "trials.json").write_text('{"format": "chcfuzz-trials 1", "words": ["-runs=7"]}')
    done = run(tmp_path, "--executions=8")
    assert done.returncode == 1
    assert "holds trials with other flags (-runs=7" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_a_slice_has_its_findings_and_is_not_run_again(tmp_path: Path) -> None:
    # The models of this solver are wrong. `run` needs the root of the repository for its name.
    arguments = ("--arm=bad=--solver=tests.quality.planted:ForgetfulSpacer", "--slices=1", "--executions=6")
    done = run(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    line = (tmp_path / "slices.jsonl").read_text()
    (head, row) = (text.split() for text in done.stdout.splitlines())
    names = [folder.name for folder in (tmp_path / "bad" / "findings" / "1").iterdir() if folder.is_dir()]
    assert (
        int(row[head.index("wrong-model") + 1]) == len([name for name in names if name.startswith("wrong-model")]) > 0
    )
    again = run(tmp_path, *arguments)
    assert again.stdout == done.stdout
    assert (tmp_path / "slices.jsonl").read_text() == line
