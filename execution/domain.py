"""The domain of recorded or given flags, and its selection of a solver."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from chcfuzz.domains.protocol import Domain
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import Pairs
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import decode, encode
from chcfuzz.solvers import z3_release

MOST_LOST = 256 << 20  # bytes: a process in which solvers have lost more is replaced; the rest takes up to 230 MB


def with_selection(unit: bytes, selection: Pairs) -> bytes:
    """Return the unit with other parameters that choose the solver under test."""
    if not selection:
        return unit
    return encode(decode(unit).selecting(selection))


def load(name: str | None) -> Domain:
    """Return the domain of this name: a module in `domains`, or `module:object`; raises `DomainError`."""
    return roots.load(name)


def check_flags(solving: Solving) -> None:
    """Raise a `ChcfuzzError` for a flag that names a solver, a release or a build which cannot exist.

    Nothing is fetched or started.
    """
    z3_release.check_named(solving.z3, solving.z3_library)
    domain = load(solving.domain)
    domain.check_named(domain.resolved(solving))


def solving_of(given: argparse.Namespace) -> Solving:
    """Return the flags of the solvers as a command uses them; raises `UsageError`."""
    solving = Solving.of(given)
    return load(solving.domain).resolved(solving)


def recorded_domain(words: Sequence[str]) -> Domain:
    """Return the domain in recorded flags; raises `DomainError` for one that the user has not named."""
    return roots.load(Solving.parsed(words).domain, recorded=True)
