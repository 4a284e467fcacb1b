"""The order of suspicious places, from edges and events with scores.

The weight of a function is the best score of its edges, times log(1 + sum of their scores): many suspicious edges
count more than one. Places in the file of a transform come first if the finding needs the transform, or if it vanishes
without it. With the order by the best score alone, one repaired function less was among the first ten
(docs/measurements.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from chcfuzz.solvers.z3_sources import TRANSFORMS
from chcfuzz.triage.findings.location import Changes, SuspiciousSite
from chcfuzz.triage.locate.events import suspicious_edges, suspicious_sites
from chcfuzz.triage.locate.pool import Observed
from chcfuzz.triage.locate.spectrum import SuspectSite

_PARAMETERS = re.compile(r"\((?!anonymous namespace\)|\)\().*$")  # of "f(int) const", not those of "operator()(int)"
_MAX_SITES = 10  # reported sites of each kind
_MAX_EDGES = 5000  # edges whose functions are looked up
_OFF = ("false", "0")  # values that disable a transform


@dataclass
class SuspiciousPlace:
    """A suspicious place: `site` is shown, `scores` are those of all edges of its function, or of its event."""

    site: SuspiciousSite
    scores: list[float] = field(default_factory=list)
    is_first: bool = False

    @property
    def weight(self) -> float:
        """The weight of the place, by which places are ordered; see the module's docstring."""
        return max(self.scores) * math.log1p(sum(self.scores))


def suspicious_places(
    failing: Sequence[Observed],
    passing: Sequence[Observed],
    lookup: Callable[[Sequence[int]], Sequence[str | None]],
    files: Collection[str],
) -> tuple[SuspiciousSite, ...]:
    """Return suspicious functions and events, in order; the first failing run is that of the finding.

    `lookup` returns the places of edges, and `files` are those whose places come first.
    """
    edges = suspicious_edges(failing, passing, _MAX_EDGES)
    places = lookup([edge.site for edge in edges]) if edges else ()
    functions = in_order(function_places(edges, places, files), _MAX_SITES)
    events = event_places(suspicious_sites(failing, passing, _MAX_SITES), files)
    return tuple(place.site for place in in_order([*functions, *events], 2 * _MAX_SITES))


def switched_files(needed: Changes, cures: Changes) -> frozenset[str]:
    """Return the files of transforms that these parameters of a finding enable, or that cures disable."""
    names = [name for name, value in needed if value not in _OFF] + [name for name, value in cures if value in _OFF]
    return frozenset(TRANSFORMS[name].file for name in names if name in TRANSFORMS)


def event_places(sites: Iterable[SuspiciousSite], files: Collection[str]) -> list[SuspiciousPlace]:
    """Return the places of events; those in `files` come first."""
    return [SuspiciousPlace(site, [site.score], any(f"{file}:" in site.where for file in files)) for site in sites]


def function_places(
    edges: Sequence[SuspectSite], places: Sequence[str | None], files: Collection[str] = ()
) -> list[SuspiciousPlace]:
    """Return a place for each function with suspicious edges: that of its first edge; those in `files` come first.

    `places` are those of the edges, as "file:line function". Among edges of a function with the same score, an edge
    outside a header is preferred: an edge in a header belongs to an inlined function.
    """
    found: dict[str, SuspiciousPlace] = {}
    for edge, place in zip(edges, places, strict=True):
        if place is None:
            continue
        where, _, function = place.partition(" ")
        name = _PARAMETERS.sub("", function)
        site = SuspiciousSite(f"{where} {name}", round(edge.score, 4), edge.failing, edge.passing)
        of = found.setdefault(name, SuspiciousPlace(site))
        if ".h:" in of.site.where and ".h:" not in where and site.score == of.site.score:
            of.site = site
        of.scores.append(edge.score)
        of.is_first |= where.partition(":")[0] in files
    return list(found.values())


def in_order(places: Iterable[SuspiciousPlace], most: int) -> list[SuspiciousPlace]:
    """Return the `most` first places; among equal ones, the order stays."""
    return sorted(places, key=lambda place: (not place.is_first, -place.weight))[:most]
