"""Released SMT solvers from the package index, unpacked in the cache; `bitwuzla@0.9.1` in `--solvers` names one.

Only a child process may run a release other than the installed one, because a process has one module of each name.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from chcfuzz.solvers import z3_release
from chcfuzz.solvers.solver_names import is_version
from chcfuzz.solvers.z3_release import ReleaseError, cache_folder, fetch_wheel, versions_on_offer

PACKAGES = {"z3": "z3-solver", "cvc5": "cvc5", "bitwuzla": "bitwuzla"}  # on PyPI, by solver


def check_version(solver: str, version: str) -> None:
    """Raise `ReleaseError` for a text that cannot be a version of the solver; nothing is fetched."""
    if not is_version(version):
        raise ReleaseError(f"{version!r} is not a version of {solver}; write it like 1.3.2")
    if PACKAGES[solver] == PACKAGES["z3"]:
        z3_release.check_named(version, None)


def fetched(solver: str, version: str) -> Path | None:
    """Return the folder from which a release is imported, after fetching it; None for Z3, which has its own cache.

    Raises `ReleaseError`.
    """
    check_version(solver, version)
    if PACKAGES[solver] == PACKAGES["z3"]:
        z3_release.released(version)
        return None
    folder = _folder(solver) / version
    fetch_wheel(PACKAGES[solver], version, folder)
    return folder


def in_cache(solver: str) -> tuple[str, ...]:
    """Return the releases in the cache, the oldest first."""
    if solver == "z3":
        return z3_release.in_cache()
    return _ordered(folder.name for folder in _folder(solver).glob("*") if folder.is_dir())


def on_offer(solver: str) -> tuple[str, ...]:
    """Return the releases for this machine, the oldest first; empty without a network."""
    return z3_release.on_offer() if solver == "z3" else _ordered(versions_on_offer(PACKAGES[solver]))


def _folder(solver: str) -> Path:
    return cache_folder() / "wheels" / PACKAGES[solver]


def _ordered(versions: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(filter(is_version, versions), key=lambda version: tuple(map(int, version.split(".")))))
