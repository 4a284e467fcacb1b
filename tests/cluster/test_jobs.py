"""Trials, regressions, minimizations and triage on workers give the results of the plain commands."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from chcfuzz.cluster.jobs import joined
from chcfuzz.corpus_tools.regress import UnitChange
from chcfuzz.corpus_tools.regress_record import RegressionRecord

from tests.cluster.conftest import CHCFUZZ, FLAGS, Cluster
from tests.targets import ROOT

FINDING = ROOT / "tests" / "formats" / "samples" / "finding-4"


def test_the_records_of_batches_add_up() -> None:
    one = RegressionRecord("old", "new", 3, {"same": 2, "lost": 1}, (), (), ())
    both = joined([one, one])
    assert (both.units, both.counts["same"], both.counts["lost"]) == (6, 4, 2)


@pytest.mark.slow
def test_a_corpus_is_compared_and_minimized_as_on_one_machine(tmp_path: Path, chcfuzz: Cluster, seeds: Path) -> None:
    solver = tmp_path / "old"
    solver.write_text("#!/bin/sh\necho unknown\n")
    solver.chmod(0o755)
    words = (str(seeds), f"--against={solver}", "--json=changes.json")
    done = chcfuzz("regress", "--local=1", "--", *words)
    assert done.returncode == 0, done.stderr
    distributed = json.loads((tmp_path / "changes.json").read_text())
    subprocess.run([CHCFUZZ, "regress", *words], cwd=tmp_path, check=True, capture_output=True)
    assert json.loads((tmp_path / "changes.json").read_text()) == distributed
    assert distributed["counts"][UnitChange.GAINED] == 3
    assert chcfuzz("minimize", "--local=1", "--", seeds, "small").returncode == 0
    subprocess.run([CHCFUZZ, "minimize", seeds, "plain"], cwd=tmp_path, check=True, capture_output=True)
    names = [sorted(path.name for path in (tmp_path / folder).iterdir()) for folder in ("small", "plain")]
    assert names[0] == names[1] != []


@pytest.mark.exhaustive
def test_trials_are_run_folders_and_complete_ones_are_kept(tmp_path: Path, chcfuzz: Cluster, seeds: Path) -> None:
    words = ("trials", 1, "--local=1", "--into=group", "--json", "--", "-runs=3", *FLAGS, seeds)
    assert json.loads(chcfuzz(*words).stdout)["trials"] == [1]
    begun = (tmp_path / "group" / "trial-001" / "statistics" / "0001-0001.jsonl").read_bytes()
    again = chcfuzz(*words)
    assert json.loads(again.stdout)["trials"] == [1]
    assert "tasks" not in again.stderr
    assert (tmp_path / "group" / "trial-001" / "statistics" / "0001-0001.jsonl").read_bytes() == begun


@pytest.mark.slow
def test_findings_are_reduced_on_workers_and_grouped_here(tmp_path: Path, chcfuzz: Cluster) -> None:
    folder = tmp_path / "findings" / "wrong-model-stored-f0e4f12cca7c"
    shutil.copytree(FINDING, folder)
    done = chcfuzz("triage", "--local=1", "--", "findings", "--tests=30")
    assert done.returncode == 0, done.stderr
    assert "1 bucket, 1 finding" in done.stdout
    assert (tmp_path / "findings" / "buckets.json").is_file()
    assert "1 of 1 task has ended" in done.stderr
    assert list(folder.glob("reduced.*")) or list(folder.glob("equivalent.*"))
