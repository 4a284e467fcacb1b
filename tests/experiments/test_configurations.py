"""The table of `bench/power/configurations.py`."""

from types import ModuleType
from typing import Any

import pytest

from tests.benchmarks import benchmark

COLUMNS = ("runs", "traces an hour", "runs per trace")


@pytest.fixture(scope="module")
def configurations() -> ModuleType:
    return benchmark("power.configurations")


def campaign(executions: int, traces: int, seconds: float) -> dict[str, Any]:
    return {"executions": executions, "unique_traces": traces, "counters": {"wall_time": seconds}}


def test_a_campaign_that_ended_before_its_worker_started_has_no_ratios(configurations: ModuleType) -> None:
    nothing = campaign(0, 0, 0)
    assert configurations.row("a", [nothing], COLUMNS) == ["a", "0.0", "-", "-"]
    assert configurations.row("b", [nothing, campaign(8, 4, 36)], COLUMNS) == ["b", "4.0 ± 5.7", "400.0", "2.0"]


def test_a_row_has_the_mean_and_the_deviation_of_each_column(configurations: ModuleType) -> None:
    runs = [campaign(8, 4, 36), campaign(6, 2, 36)]
    assert configurations.row("c", runs, COLUMNS) == ["c", "7.0 ± 1.4", "300.0 ± 141.4", "2.5 ± 0.7"]
