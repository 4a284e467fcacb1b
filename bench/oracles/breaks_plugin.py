"""Plugin of pytest for `breaks.py`: records which test runs which line, or runs chosen tests in a given order."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

CHOSEN = "BREAKS_CHOSEN"  # file with the tests to run, as a JSON list
SECONDS = "BREAKS_SECONDS"  # file that receives the processor time of each test
TEST = "BREAKS_TEST"  # the current test: the context of the processes that it starts


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Select the chosen tests, in their order."""
    if chosen := os.environ.get(CHOSEN):
        places = {name: place for place, name in enumerate(json.loads(Path(chosen).read_text()))}
        items[:] = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Record a test with its fixtures."""
    recorder = coverage.Coverage.current()
    before = processor_time()
    if recorder is not None:
        os.environ[TEST] = item.nodeid
        recorder.switch_context(item.nodeid)
    yield
    if into := os.environ.get(SECONDS):
        with Path(into).open("a") as stream:
            stream.write(json.dumps([item.nodeid, round(processor_time() - before, 3)]) + "\n")


def processor_time() -> float:
    """Return the processor time of this process and of the children that have ended."""
    return sum(os.times()[:4])
