"""A Golem with one wrong line is found out; the genuine one on the same seeds gives no wrong answer."""

import tarfile
from pathlib import Path

import pytest

from tests.other_solvers import SOURCES, needs_sources, run_script
from tests.targets import ROOT, Run

RUNS = 100  # it took 15 executions with this seed
RIGHT = "return pushed.size_() == candidatesCount;"
# Where a predicate has three lemmas or more at a level, one of them need not be inductive.
WRONG = "return pushed.size_() + (candidatesCount > 2) >= candidatesCount;"


def golem(folder: Path, wrong: bool) -> Path:
    """Golem compiled from its source, with the wrong line or as it is; in the build tree that all Golems share."""
    with tarfile.open(SOURCES / "golem-src.tar.gz") as archive:
        archive.extractall(folder / "tree", filter="data")
    spacer = folder / "tree" / "src" / "engine" / "Spacer.cc"
    text = spacer.read_text()
    assert text.count(RIGHT) == 1
    if wrong:
        spacer.write_text(text.replace(RIGHT, WRONG))
    parts = ("--source", folder / "tree", "--opensmt-source", SOURCES / "opensmt-src.tar.gz")
    done = run_script(ROOT / "get_golem.sh", *parts, "--profile", "trace", "--prefix", folder / "made")
    assert done.returncode == 0, done.stderr
    return folder / "made" / "golem"


@pytest.mark.slow
@needs_sources
@pytest.mark.parametrize("wrong", [True, False])
def test_a_wrong_line_is_found_within_so_many_executions(run_command: Run, tmp_path: Path, wrong: bool) -> None:
    seeds = [ROOT / "corpus" / folder for folder in ("lia", "many-predicates")]
    grown = tmp_path / "grown"
    grown.mkdir()
    ended = run_command(
        f"--command={golem(tmp_path, wrong)}", "--wall-seconds=20", f"-runs={RUNS}", "-seed=1", grown, *seeds
    )
    assert ended.code == 0, ended.err[-2000:]
    assert ended.summary["own_errors"] == 0
    found = set(ended.summary["findings"]) & {"wrong-answer", "wrong-model"}
    assert bool(found) == wrong, ended.summary
