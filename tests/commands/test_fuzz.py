"""`chcfuzz fuzz`: the main program without a clone."""

import json
from pathlib import Path

import pytest

from tests.commands.test_chcfuzz import chcfuzz
from tests.targets import ROOT


@pytest.mark.slow
def test_without_a_corpus_it_fuzzes_the_projects_seeds(tmp_path: Path) -> None:
    done = chcfuzz(tmp_path, "fuzz", "-v", "-runs=3", "-seed=1", "-max_len=600", "--wall-seconds=100")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1].removeprefix("chcfuzz-summary: "))
    assert said["executions"] >= 3
    number = len(list((ROOT / "corpus").rglob("*.smt2")))
    assert f"{number} files found in" in done.stderr
    assert (tmp_path / "grown").is_dir()


@pytest.mark.slow
def test_flags_and_folders_are_the_main_programs(tmp_path: Path) -> None:
    assert "--workers" in chcfuzz(tmp_path, "fuzz", "--help").stdout
    done = chcfuzz(tmp_path, "fuzz", "-runs=1", "nowhere")
    assert done.returncode == 2
    assert "no such file or folder: 'nowhere'" in done.stderr
    assert not (tmp_path / "grown").exists()


@pytest.mark.slow
def test_the_headline_names_the_solvers_of_the_domain(tmp_path: Path) -> None:
    flags = ("--domain=smt", "--solvers=z3", "-runs=0", "--findings=found")
    done = chcfuzz(tmp_path, "fuzz", *flags, str(ROOT / "corpus-smt"))
    assert done.returncode == 0, done.stderr
    assert "features from their statistics" in done.stderr
    assert "Spacer" not in done.stderr
