"""The benchmark of known wrong answers, bench/power/rediscovery.py: its corpora, trials, and the tables of the page."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from chcfuzz.execution.solving import UsageError

from tests.benchmarks import BENCH, benchmark

PAGE = (BENCH.parent / "docs" / "measurements.md").read_text()


@pytest.fixture(scope="module")
def comparison() -> ModuleType:
    return benchmark("power.comparison")


@pytest.fixture(scope="module")
def rediscovery() -> ModuleType:
    return benchmark("power.rediscovery")


@pytest.fixture(scope="module")
def known() -> ModuleType:
    return benchmark("power.known")


def stored(comparison: ModuleType, name: str) -> list[object]:
    campaigns: list[object] = benchmark("campaigns").ResultFile(BENCH / "data" / name, comparison.Campaign).read()
    return campaigns


def test_a_mixed_corpus_has_the_seeds_of_one_release_and_fifty_others(known: ModuleType, tmp_path: Path) -> None:
    (corpus,) = known.mixed("4.13.4.0", None)
    assert len(corpus.bugs) == 5
    corpus.write(tmp_path)
    assert {f"{bug}.smt2" for bug in corpus.bugs} <= {path.name for path in tmp_path.iterdir()}
    assert len(list(tmp_path.iterdir())) == 55
    with pytest.raises(SystemExit, match=r"'9\.9\.9\.9'"):
        known.mixed("9.9.9.9", None)


def test_a_corpus_alone_has_one_seed_and_the_release_that_is_wrong(known: ModuleType) -> None:
    for corpora, flag in ((known.alone(), "--z3="), (known.of_smt(), "--solvers=")):
        assert len(corpora) > 10
        for corpus in corpora:
            assert (corpus.name,) == corpus.bugs == tuple(corpus.texts)
            assert [word for word in corpus.flags if word.startswith(flag)]


def test_trials_of_another_checkout_or_with_other_flags_need_another_folder(
    rediscovery: ModuleType, known: ModuleType, tmp_path: Path
) -> None:
    def prepare(flag: str, tree: Path) -> None:
        rediscovery.ArmTrials(tmp_path / "A", ("-runs=5", flag), 3, "A", known.alone()[0], tree, "finding").prepare()

    prepare("--portfolio=novelty", tmp_path)
    prepare("--portfolio=novelty", tmp_path)  # an interrupted run continues
    with pytest.raises(UsageError, match="with other flags \\(-runs=5 --portfolio=novelty\\)"):
        prepare("--portfolio=swarm", tmp_path)
    with pytest.raises(UsageError, match="holds trials"):
        prepare("--portfolio=novelty", tmp_path.parent)


def test_the_stored_trials_give_the_table_of_the_page(comparison: ModuleType) -> None:
    trials = stored(comparison, "power-trials.jsonl")
    bugs = [bug for bug in sorted({trial.corpus for trial in trials}) if _row(bug) is not None]  # type: ignore[attr-defined]
    header, *rows, mean = comparison.table(trials, ("base", "portfolio-some"), bugs, "executions")
    assert header[-1] == "p (Holm)"
    assert len(rows) == 13
    for bug, *cells in rows:
        first, first_interval, first_found, second, second_interval, second_found, a12, p = cells
        shown = _row(bug) or []
        assert shown[:2] == [f"{first} ({first_interval})", first_found], bug
        assert shown[3:5] == [f"{second} ({second_interval})", second_found], bug
        assert shown[-2:] == [a12, p], bug
    assert f"geometric mean of the ratios of medians is {mean[-2]} for" in PAGE.replace("\n", " ")


def _row(bug: str) -> list[str] | None:
    """Return the cells of a bug in the table with ten columns."""
    lines = (line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith(f"| {bug} | "))
    return next((cells[1:] for cells in lines if len(cells) == 10), None)


def compared(comparison: ModuleType, bugs: str, arm: str) -> dict[str, list[str]]:
    """Return the cells of each bug in the comparison of the stored mixed campaigns of an arm with the default's."""
    campaigns = [each for each in stored(comparison, "mixed-trials.jsonl") if bugs in each.bugs]  # type: ignore[attr-defined]
    rows = comparison.table(campaigns, (arm, "default"), campaigns[0].bugs, "solver_seconds")  # type: ignore[attr-defined]
    return {bug: cells for bug, *cells in rows[1:-1]}


@pytest.mark.parametrize("arm", ["novelty", "none", "traces"])
def test_the_stored_campaigns_give_the_tables_of_the_page(comparison: ModuleType, arm: str) -> None:
    for bug, cells in compared(comparison, "select-of-store", arm).items():
        first, first_interval, first_found, second, second_interval, second_found, a12, p = cells
        shown = [f"{first} ({first_interval})", first_found, f"{second} ({second_interval})", second_found, a12, p]
        assert f"| {bug} | {' | '.join(shown)} |" in PAGE


def test_the_stored_campaigns_give_the_table_of_edges(comparison: ModuleType) -> None:
    edges = compared(comparison, "array-as-an-index", "edges")
    assert len(edges) == 5
    for bug, cells in compared(comparison, "array-as-an-index", "transitions").items():
        shown = [f"{cells[3]} ({cells[4]})"]
        for first, interval, first_found, *_, second_found, a12, p in (cells, edges[bug]):
            assert (first_found, second_found) == ("6 of 6", "6 of 6")
            shown += [f"{first} ({interval})", a12, p]
        assert f"| {bug} | {' | '.join(shown)} |" in PAGE


def test_a_censored_trial_counts_with_its_end_and_another_fault_is_named(comparison: ModuleType) -> None:
    found = comparison.Campaign("a", "x", 1, ("x",), {"x": {"executions": 5.0}}, {"executions": 9.0})
    missed = comparison.Campaign("a", "x", 2, ("x",), {}, {"executions": 9.0}, {"other faults": 1})
    side = comparison.sample([found, missed], "a", "x", "executions")
    assert (side.values, side.censored) == ((5.0, 9.0), (False, True))
    header, row = comparison.single([found, missed], "a", ["x"], ["executions"])
    assert dict(zip(header, row, strict=True))["other faults"] == "1"
    assert dict(zip(header, row, strict=True))["found"] == "1 of 2"


def test_a_result_that_was_cut_off_is_dropped_and_does_not_spoil_the_next(
    comparison: ModuleType, tmp_path: Path
) -> None:
    file = benchmark("campaigns").ResultFile(tmp_path / "trials.jsonl", comparison.Campaign)
    campaigns = [comparison.Campaign("default", "mixed", seed, (), {}, {"seconds": 1.0}) for seed in range(3)]
    for campaign in campaigns[:2]:
        file.add(campaign)
    path = tmp_path / "trials.jsonl"
    path.write_bytes(path.read_bytes()[:-9])  # the process was killed
    assert file.read() == campaigns[:1]
    file.add(campaigns[2])
    assert file.read() == [campaigns[0], campaigns[2]]
