"""The releases of a solver in which a finding is tested: published ones, or commands that a user names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from chcfuzz.domains.protocol import Domain
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.problem import Pairs
from chcfuzz.triage.locate.case import LocateError
from chcfuzz.triage.locate.finding_variants import Tested, tested
from chcfuzz.triage.locate.pool import Neighbour, RunPool
from chcfuzz.triage.locate.versions import number_of
from chcfuzz.triage.reduce.condition import Condition

UNDER_TEST = "the command under test"


@dataclass(frozen=True)
class NamedRelease:
    """A release of a command, as a user gives it: its name, and its command line as for a shell."""

    name: str
    line: str


@dataclass(frozen=True)
class OrderedReleases:
    """Releases by name, the oldest first.

    `own` is the one under test, and those `at_hand` need no download. `selected` returns the flags and the selecting
    parameters that put a release under test.
    """

    names: Sequence[str]
    own: str
    at_hand: Collection[str]
    selected: Callable[[str], tuple[Solving, Pairs]]
    notes: tuple[str, ...] = ()

    def test(self, name: str, runs: Sequence[Neighbour], condition: Condition) -> Tested:
        """Run a finding, which is the first of these runs, and its variants in a release."""
        try:
            solving, selection = self.selected(name)
            finding, *others = (_selecting(run, selection) for run in runs)
            with RunPool(condition, solving) as pool:
                return tested(pool, finding, others)
        except ChcfuzzError as error:
            return Tested(str(error))


def _selecting(run: Neighbour, selection: Pairs) -> Neighbour:
    parameters = {**dict(run.recipe.parameters), **dict(selection)}
    return replace(run, recipe=replace(run.recipe, parameters=tuple(sorted(parameters.items()))))


def published(domain: Domain, solving: Solving, selection: Pairs, own: str) -> OrderedReleases:
    """Return the published releases of the solver under test."""
    if not own:
        advice = "name some with --release NAME=COMMAND"
        raise LocateError(f"the solver under test is a command, whose releases are not known; {advice}")
    cached, offered = domain.released(selection)
    note = "pip found no list of releases (no network?), so only releases in the cache were tested"
    return OrderedReleases(
        sorted({*cached, *offered, own}, key=number_of),
        own,
        cached,
        lambda version: domain.with_release(solving, selection, version),
        () if offered else (note,),
    )


def commands(solving: Solving, named: Sequence[NamedRelease]) -> OrderedReleases:
    """Return the releases of a command that a user names, the oldest first; the command under test is the newest.

    If one of them has the command under test, it is not tested twice.
    """
    found = {release.name: replace(solving, command=release.line) for release in named}
    own = {release.line: release.name for release in named}.get(solving.command or "", UNDER_TEST)
    found.setdefault(own, solving)
    return OrderedReleases(list(found), own, list(found), lambda name: (found[name], ()))
