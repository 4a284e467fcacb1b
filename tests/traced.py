"""Folders of builds of Z3, and marks that skip tests without them."""

import os
from pathlib import Path

import pytest
from chcfuzz.execution.solving import LIBRARY_VARIABLE

_BUILDS = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chcfuzz" / "z3-traced"
TRACED = Path(os.environ.get(LIBRARY_VARIABLE) or _BUILDS / "5.4.0.0-trace")
COVERAGE, ASAN, DEBUG = (_BUILDS / f"5.4.0.0-{profile}" for profile in ("coverage", "asan", "debug"))


def needs(is_there: bool, reason: str) -> pytest.MarkDecorator:
    """Return a mark for a test that needs a build of Z3, or a part of it; `-m traced` selects these tests."""
    return pytest.mark.traced(is_there, reason)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs a build which is missing, before its fixtures are made."""
    for mark in item.iter_markers("traced"):
        is_there, reason = mark.args
        if not is_there:
            pytest.skip(reason)


def _needs(build: Path, command: str) -> pytest.MarkDecorator:
    return needs((build / "BUILD_INFO").exists(), f"needs a build of Z3: run {command}")


needs_traced_build = _needs(TRACED, "./build_z3_traced.sh")
needs_coverage_build = _needs(COVERAGE, "./build_z3_traced.sh --profile coverage")
needs_asan_build = _needs(ASAN, "./build_z3_traced.sh --profile asan")
needs_debug_build = _needs(DEBUG, "./build_z3_traced.sh --profile debug")
older_builds = [
    pytest.param(
        _BUILDS / f"{version}-trace",
        marks=_needs(_BUILDS / f"{version}-trace", f"./build_z3_traced.sh --version {version}"),
        id=version,
    )
    for version in ("4.13.4.0", "4.8.14.0")
]
