"""Spectrum-based fault localization: the event at which two sequences diverge, and suspicious sites.

A *spectrum* records which sites each run reached: trace sites or edges of a traced build, or transitions. A site is
suspicious if failing runs reach it and passing runs do not. Runs of similar systems and parameters are the most
informative: sites that all of them reach cancel out.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Events = NDArray[np.uint32]


@dataclass(frozen=True)
class Parting:
    """The divergence of two sequences after `place` common events.

    `failing` and `passing` are the next events; None if a sequence has ended.
    """

    place: int
    failing: int | None
    passing: int | None


def parting(failing: Events, passing: Events) -> Parting | None:
    """Return the divergence of two event sequences; None if they are equal."""
    shared = min(len(failing), len(passing))
    differs = np.flatnonzero(failing[:shared] != passing[:shared])
    place = int(differs[0]) if len(differs) else shared
    if place == len(failing) == len(passing):
        return None
    return Parting(place, *(int(events[place]) if place < len(events) else None for events in (failing, passing)))


def last_parting(failing: Events, passing: Sequence[Events]) -> tuple[int, Parting] | None:
    """Return the index of the first passing run with the longest common prefix, and the divergence.

    None if `passing` is empty, or if one of them has the same events: then events do not distinguish them.
    """
    found = [parting(failing, events) for events in passing]
    places = [(number, one) for number, one in enumerate(found) if one is not None]
    if len(places) < len(found) or not places:
        return None
    return max(places, key=lambda each: (each[1].place, -each[0]))


class Formula(enum.Enum):
    """Formula for the score of a site, from 0 to 1.

    `OCHIAI`: failing runs through it / sqrt(failing runs * runs through it) (Abreu, Zoeteweij and van Gemund,
    TAIC PART 2007, where it performs best). `TARANTULA`: the share of failing runs that reach it / the sum of the
    shares of failing and of passing runs that reach it (Jones and Harrold, ASE 2005).
    """

    OCHIAI = "ochiai"
    TARANTULA = "tarantula"


@dataclass(frozen=True)
class SuspectSite:
    """Number and score of a site, and the numbers of failing and passing runs that reach it."""

    site: int
    score: float
    failing: int
    passing: int


def suspects(
    failing: NDArray[Any], passing: NDArray[Any], formula: Formula = Formula.OCHIAI, most: int = 20
) -> list[SuspectSite]:
    """Return the `most` most suspicious sites that a failing run reaches, ordered by score, then by number.

    `failing` (n, sites) and `passing` (m, sites) have a row of counts for each run: any count but 0 means "reached".
    Raises `ValueError` if their numbers of sites differ.
    """
    if failing.ndim != 2 or passing.ndim != 2 or failing.shape[1] != passing.shape[1]:
        raise ValueError(
            f"the spectra {failing.shape} and {passing.shape} are not matrices with the same number of columns"
        )
    failed, passed = np.count_nonzero(failing, axis=0), np.count_nonzero(passing, axis=0)
    scores = _scores(failed, passed, len(failing), len(passing), formula)
    order = np.lexsort((np.arange(len(scores)), -scores))
    reached = [int(site) for site in order if failed[site]][:most]
    return [SuspectSite(site, float(scores[site]), int(failed[site]), int(passed[site])) for site in reached]


def _scores(
    failed: NDArray[np.intp], passed: NDArray[np.intp], failing: int, passing: int, formula: Formula
) -> NDArray[np.float64]:
    """Return the score of each site; 0 if no failing run reaches it."""
    if formula is Formula.OCHIAI:
        above, below = failed.astype(np.float64), np.sqrt(failing * (failed + passed).astype(np.float64))
    else:
        above = failed / max(failing, 1)
        below = above + passed / max(passing, 1)
    return np.divide(above, below, out=np.zeros(len(failed)), where=below > 0)


def spectrum(keys: Sequence[NDArray[np.uint32]]) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
    """Return all keys in order, and a row for each run that marks its keys (`Trace.keys`), for `suspects`."""
    table = np.unique(np.concatenate([np.zeros(0, np.uint32), *keys]))
    return table, np.array([np.isin(table, found) for found in keys], dtype=np.bool_).reshape(len(keys), len(table))
