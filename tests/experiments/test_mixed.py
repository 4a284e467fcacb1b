"""The benchmark of mixed campaigns, bench/power/mixed.py: what counts as found, and the table of the page."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from tests.benchmarks import BENCH, benchmark

ROOT = BENCH.parent


@pytest.fixture(scope="module")
def mixed() -> ModuleType:
    return benchmark("power.mixed")


def test_the_corpus_has_the_seeds_of_one_release_and_fifty_others(mixed: ModuleType, tmp_path: Path) -> None:
    bugs = mixed.seeds_into(tmp_path, "4.13.4.0")
    assert len(bugs) == 5
    assert {f"{bug}.smt2" for bug in bugs} <= {path.name for path in tmp_path.iterdir()}
    assert len(list(tmp_path.iterdir())) == 55
    with pytest.raises(SystemExit, match=r"'9\.9\.9\.9'"):
        mixed.seeds_into(tmp_path, "9.9.9.9")


def compared(mixed: ModuleType, release: str, arm: str) -> dict[str, list[str]]:
    """Return the cells of each bug in the comparison of the stored campaigns of an arm with those of the default."""
    stored = mixed.ResultFile(BENCH / "data" / "mixed-trials.jsonl", mixed.Campaign).read()
    campaigns = [campaign for campaign in stored if campaign.release == release]
    bugs = sorted({bug for campaign in campaigns for bug in campaign.found})
    sides = [mixed.power.Subject(name, ROOT, "") for name in (arm, "default")]
    trials = [trial for campaign in campaigns for trial in campaign.trials(bugs)]
    return {bug: cells for bug, *cells in mixed.power.table(trials, sides, bugs, "solver_seconds")[1:-1]}


@pytest.mark.parametrize("arm", ["novelty", "none", "traces"])
def test_the_stored_campaigns_give_the_tables_of_the_page(mixed: ModuleType, arm: str) -> None:
    page = (ROOT / "docs" / "measurements.md").read_text()
    for bug, cells in compared(mixed, "4.13.4.0", arm).items():
        first, first_interval, first_found, second, second_interval, second_found, a12, p = cells
        shown = [f"{first} ({first_interval})", first_found, f"{second} ({second_interval})", second_found, a12, p]
        assert f"| {bug} | {' | '.join(shown)} |" in page


def test_the_stored_campaigns_give_the_table_of_edges(mixed: ModuleType) -> None:
    page = (ROOT / "docs" / "measurements.md").read_text()
    edges = compared(mixed, "5.4.1.0", "edges")
    assert len(edges) == 5
    for bug, cells in compared(mixed, "5.4.1.0", "transitions").items():
        shown = [f"{cells[3]} ({cells[4]})"]
        for first, interval, first_found, *_, second_found, a12, p in (cells, edges[bug]):
            assert (first_found, second_found) == ("6 of 6", "6 of 6")
            shown += [f"{first} ({interval})", a12, p]
        assert f"| {bug} | {' | '.join(shown)} |" in page


def test_a_result_that_was_cut_off_is_dropped_and_does_not_spoil_the_next(mixed: ModuleType, tmp_path: Path) -> None:
    file = mixed.ResultFile(tmp_path / "trials.jsonl", mixed.Campaign)
    campaigns = [mixed.Campaign("default", seed, 15.0, "4.13.4.0", {}, {"seconds": 1.0}, {}) for seed in range(3)]
    for campaign in campaigns[:2]:
        file.add(campaign)
    path = tmp_path / "trials.jsonl"
    path.write_bytes(path.read_bytes()[:-9])  # the process was killed
    assert file.read() == campaigns[:1]
    file.add(campaigns[2])
    assert file.read() == [campaigns[0], campaigns[2]]
