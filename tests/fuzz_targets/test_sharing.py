"""Several processes of one campaign: corpus, findings and tallies are shared, nothing is lost or there twice."""

import json
from pathlib import Path

import pytest
from chcfuzz.learning import model_file

from tests.targets import ROOT, TAME, Run
from tests.traced import TRACED, needs_traced_build

FORGETFUL = "--solver=tests.quality.planted:ForgetfulSpacer"  # its models are wrong
EXHAUSTIVE = pytest.mark.exhaustive  # `JOBS` and `FORK` are run by the other tests, too
JOBS, WORKERS = ("-jobs=2", "-runs=60"), ("--workers=2", "-runs=60", TAME)
FORK = ("-fork=2", "-runs=150")  # its jobs last one second, two seconds, and so on: some get beyond the seeds
LONGER = ("--workers=2", "-runs=300", TAME)  # of the first 60 units, perhaps none opens a trace
MODES = pytest.mark.parametrize("mode", [FORK, JOBS, WORKERS], ids=["fork", "jobs", "workers"])


@pytest.mark.slow
@MODES
def test_every_trace_that_was_seen_is_in_the_corpus(
    run: Run, seeds: Path, tmp_path: Path, mode: tuple[str, str]
) -> None:
    grown = tmp_path / "grown"
    grown.mkdir()
    ended = run(*mode, "-seed=1", grown, seeds)
    again = run("-runs=1", grown, seeds)
    assert ended.summary["unique_traces"] > len(list(seeds.iterdir())) / 2, ended.err
    # Undecided units have a trace as well, and are not kept.
    wanted = ended.summary["unique_traces"] - ended.summary["undecided"]
    assert again.summary["unique_traces"] >= wanted, ended.err + again.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "mode",
    [pytest.param(("-fork=2", "-runs=100"), marks=EXHAUSTIVE), pytest.param(JOBS, marks=EXHAUSTIVE), WORKERS],
    ids=["fork", "jobs", "workers"],
)
def test_findings_are_counted_and_kept_once(run: Run, seeds: Path, tmp_path: Path, mode: tuple[str, str]) -> None:
    ended = run(*mode, "-seed=1", "--per-bucket=2", FORGETFUL, seeds, PYTHONPATH=str(ROOT))
    kept = sorted((tmp_path / "findings").glob("wrong-model-*"))
    assert ended.summary["findings"] == {"wrong-model": len(kept)}, ended.err
    assert kept
    units = [(folder / "recipe").read_bytes() for folder in kept]
    assert len(set(units)) == len(units)
    assert all(json.loads((folder / "record.json").read_text())["kind"] == "wrong-model" for folder in kept)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mode", [*(pytest.param(mode, marks=EXHAUSTIVE) for mode in (FORK, JOBS)), LONGER], ids=["fork", "jobs", "workers"]
)
def test_what_is_learned_adds_up_over_processes_and_campaigns(
    run: Run, seeds: Path, tmp_path: Path, mode: tuple[str, str]
) -> None:
    tried, formulas = [], []
    for seed in (1, 2):
        ended = run(*mode, "--learn", f"-seed={seed}", seeds)
        formulas.append(model_file.read(tmp_path / "findings" / "learned.model").counts.times.sum())
        rows = json.loads((tmp_path / "findings" / "state.json").read_text())["rows"]
        tried.append(sum(row[0] for row in rows.values()))
        assert all(opened <= times for times, opened in rows.values()), ended.err
    assert 0 < tried[0] < tried[1]
    assert 0 < formulas[0] <= formulas[1]  # few units of the second campaign open anything


@pytest.mark.slow
@needs_traced_build
def test_libfuzzer_has_the_same_features_of_units_that_are_known(run: Run, seeds: Path) -> None:
    """The edges that are not shown again, it has; the empty unit, at which it does not look, counts for none."""
    read = []
    for known in (False, True):
        flags = ("--features=all", "--second-opinion=0", f"--z3-library={TRACED}")
        ended = run("--verbose", "-runs=1", "-seed=1", *flags, seeds)
        (words,) = [line.split() for line in ended.err.splitlines() if "INITED" in line]
        read.append([int(words[words.index(name) + 1]) for name in ("cov:", "ft:")])
        assert (ended.summary["solved"] < len(list(seeds.iterdir())) / 2) is known, ended.err
    (edges, features), again = read
    assert edges > 5_000
    # All but what destructors of earlier executions reach while a later one runs.
    assert again[0] > 0.99 * edges
    assert again[1] > 0.99 * features
