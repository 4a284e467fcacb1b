"""Where a failing run does what passing runs do not: the first event at which two sequences part, and suspicious sites.

A *spectrum* says of each run which sites it reached: trace sites or edges of a traced build, or transitions. A site is
suspicious as far as failing runs reach it and passing ones do not. Neighbours, runs of systems and parameters that
differ little, say most: what all of them reach cancels out.
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
    """`place`: how many events the two sequences share. Then come `failing` and `passing`, None where one has ended."""

    place: int
    failing: int | None
    passing: int | None


def parting(failing: Events, passing: Events) -> Parting | None:
    """Where two sequences of events part; None where they are equal."""
    shared = min(len(failing), len(passing))
    differs = np.flatnonzero(failing[:shared] != passing[:shared])
    place = int(differs[0]) if len(differs) else shared
    if place == len(failing) == len(passing):
        return None
    return Parting(place, *(int(events[place]) if place < len(events) else None for events in (failing, passing)))


def last_parting(failing: Events, passing: Sequence[Events]) -> tuple[int, Parting] | None:
    """The passing run that goes along with the failing one the longest (the first of several), and where they part.

    None where there is no passing run, or one does the same to the end: then events do not tell them apart.
    """
    found = [parting(failing, events) for events in passing]
    places = [(number, one) for number, one in enumerate(found) if one is not None]
    if len(places) < len(found) or not places:
        return None
    return max(places, key=lambda each: (each[1].place, -each[0]))


class Formula(enum.Enum):
    """How suspicious a site is, from 0 to 1.

    `OCHIAI`: failing runs through it / sqrt(failing runs * runs through it) (Abreu, Zoeteweij and van Gemund,
    TAIC PART 2007, where it does best). `TARANTULA`: the share of failing runs that reach it / the sum of the shares
    of failing and passing runs that do (Jones and Harrold, ASE 2005).
    """

    OCHIAI = "ochiai"
    TARANTULA = "tarantula"


@dataclass(frozen=True)
class Suspect:
    """A site by its number, how suspicious it is, and how many failing and passing runs reach it."""

    site: int
    score: float
    failing: int
    passing: int


def suspects(
    failing: NDArray[Any], passing: NDArray[Any], formula: Formula = Formula.OCHIAI, most: int = 20
) -> list[Suspect]:
    """The most suspicious sites, in order, those that a failing run reaches; of equal ones the lower number first.

    `failing` (n, sites) and `passing` (m, sites) hold a row for each run: counts, of which any but 0 is "reached".
    Raises `ValueError` for spectra of different numbers of sites.
    """
    if failing.ndim != 2 or passing.ndim != 2 or failing.shape[1] != passing.shape[1]:
        raise ValueError(
            f"spectra of {failing.shape} and {passing.shape} do not have a row for each run over one table"
        )
    failed, passed = np.count_nonzero(failing, axis=0), np.count_nonzero(passing, axis=0)
    scores = _scores(failed, passed, len(failing), len(passing), formula)
    order = np.lexsort((np.arange(len(scores)), -scores))
    reached = [int(site) for site in order if failed[site]][:most]
    return [Suspect(site, float(scores[site]), int(failed[site]), int(passed[site])) for site in reached]


def _scores(
    failed: NDArray[np.intp], passed: NDArray[np.intp], failing: int, passing: int, formula: Formula
) -> NDArray[np.float64]:
    """The score of each site; 0 where no failing run comes."""
    if formula is Formula.OCHIAI:
        above, below = failed.astype(np.float64), np.sqrt(failing * (failed + passed).astype(np.float64))
    else:
        above = failed / max(failing, 1)
        below = above + passed / max(passing, 1)
    return np.divide(above, below, out=np.zeros(len(failed)), where=below > 0)


def spectrum(keys: Sequence[NDArray[np.uint32]]) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
    """What runs reached, from the keys of each (`Trace.keys`), for `suspects`: all keys in order, a row a run."""
    table = np.unique(np.concatenate([np.zeros(0, np.uint32), *keys]))
    return table, np.array([np.isin(table, found) for found in keys], dtype=np.bool_).reshape(len(keys), len(table))
