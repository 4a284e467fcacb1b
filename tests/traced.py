"""Builds and releases of Z3 that tests need, and marks that skip tests without them."""

import functools
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.execution.solving import LIBRARY_VARIABLE
from chcfuzz.solvers import z3_release
from chcfuzz.triage.fix.build import build_tree
from chcfuzz.triage.fix.patch import PatchError

_BUILDS = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chcfuzz" / "z3-traced"
TRACED = Path(os.environ.get(LIBRARY_VARIABLE) or _BUILDS / "5.4.0.0-trace")
COVERAGE, ASAN, DEBUG = (_BUILDS / f"5.4.0.0-{profile}" for profile in ("coverage", "asan", "debug"))


def needs(is_there: Callable[[], bool], reason: str) -> pytest.MarkDecorator:
    """Return a mark for a test that needs a build of Z3, or a part of it; `-m traced` selects these tests."""
    return pytest.mark.traced(is_there, reason)


def ensure_release(version: str) -> z3_release.Release:
    """Return a release of Z3 from the cache or the package index; skip the test if neither has it."""
    try:
        return z3_release.released(version)
    except z3_release.ReleaseError as error:
        pytest.skip(f"needs the wheel of z3-solver {version}: {error}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs a build which is missing, before its fixtures are made."""
    for mark in item.iter_markers("traced"):
        is_there, reason = mark.args
        if not is_there():
            pytest.skip(reason)


def _needs(build: Path, command: str) -> pytest.MarkDecorator:
    return needs((build / "BUILD_INFO").exists, f"needs a build of Z3: run {command}")


@functools.cache
def _has_tree() -> bool:
    try:
        build_tree(TRACED)
    except PatchError:
        return False
    return True


needs_build_tree = needs(_has_tree, "needs a build tree of Z3: run ./build_z3_traced.sh")
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
