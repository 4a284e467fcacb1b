"""The benchmark of known wrong answers, bench/power/power.py: which trials of a folder count for a side."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from tests.benchmarks import BENCH, benchmark


@pytest.fixture(scope="module")
def power() -> ModuleType:
    return benchmark("power.power")


def test_trials_with_other_flags_do_not_count_for_a_side_of_the_same_name(power: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "sides.json"

    def sides(flags: str, name: str = "A") -> list[object]:
        return [power.Subject(name, BENCH.parent, flags), power.Subject("B", BENCH.parent, "")]

    power.check_sides(sides("--portfolio=novelty"), file)
    power.check_sides(sides("--portfolio=novelty"), file)  # an interrupted run continues
    with pytest.raises(SystemExit, match="has other campaigns for 'A' \\(flags '--portfolio=novelty'"):
        power.check_sides(sides("--portfolio=swarm"), file)
    power.check_sides(sides("--portfolio=swarm", name="swarm"), file)
    with pytest.raises(SystemExit, match="has other campaigns for 'B'"):
        power.check_sides(sides("--portfolio=swarm", name="B"), tmp_path / "new.json")


def test_the_stored_trials_give_the_table_of_the_page(power: ModuleType) -> None:
    page = (BENCH.parent / "docs" / "measurements.md").read_text()
    trials = power.ResultFile(BENCH / "data" / "power-trials.jsonl", power.Trial).read()
    sides = [power.Subject(name, BENCH, "") for name in ("base", "portfolio-some")]
    bugs = [bug for bug in sorted({trial.bug for trial in trials}) if _row(page, bug) is not None]
    header, *rows, mean = power.table(trials, sides, bugs, "executions")
    assert header[-1] == "p (Holm)"
    assert len(rows) == 13
    for bug, *cells in rows:
        first, first_interval, first_found, second, second_interval, second_found, a12, p = cells
        shown = _row(page, bug) or []
        assert shown[:2] == [f"{first} ({first_interval})", first_found], bug
        assert shown[3:5] == [f"{second} ({second_interval})", second_found], bug
        assert shown[-2:] == [a12, p], bug
    assert f"geometric mean of the ratios of medians is {mean[-2]} for" in page.replace("\n", " ")


def _row(page: str, bug: str) -> list[str] | None:
    """Return the cells of a bug in the table with ten columns."""
    lines = (line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith(f"| {bug} | "))
    return next((cells[1:] for cells in lines if len(cells) == 10), None)
