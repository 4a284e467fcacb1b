"""Where a failing run does what passing ones do not: the first event at which they part, and suspicious sites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from chcfuzz.tracing.trace import EventSequence
from chcfuzz.triage.findings.location import PartingEvent, SuspiciousSite
from chcfuzz.triage.locate.pool import Observed
from chcfuzz.triage.locate.spectrum import Suspect, last_parting, spectrum, suspects

_PARAMETERS = re.compile(r"\((?!anonymous namespace\)|\)\().*$")  # of "f(int) const", not those of "operator()(int)"
_LEAST = 2  # how often less suspicious than the first a site may be


def parting_event(failing: Observed, passing: Sequence[Observed]) -> PartingEvent | str:
    """Where the failing run leaves the passing one that goes along with it the longest; or why that cannot be said."""
    if failing.events.start:
        return "the failing run has more events than are kept"
    whole = [run for run in passing if not run.events.start]
    if not whole:
        return "no passing run to hold the failing one against"
    found = last_parting(failing.events.numbers, [run.events.numbers for run in whole])
    if found is None:
        numbers = failing.events.numbers
        same = next(run for run in whole if np.array_equal(run.events.numbers, numbers))
        said = "the same events" if len(numbers) else "no event"
        return f"{said} under {same.neighbour.name}, where it is right"
    number, place = found
    other = whole[number]
    return PartingEvent(
        place.place,
        _words(failing.events, place.failing),
        _words(other.events, place.passing),
        _words(failing.events, int(failing.events.numbers[place.place - 1]) if place.place else None),
        other.neighbour.name,
    )


def _words(events: EventSequence, number: int | None) -> str | None:
    return None if number is None else events.words[number]


def suspicious_sites(failing: Sequence[Observed], passing: Sequence[Observed], most: int) -> tuple[SuspiciousSite, ...]:
    """The most suspicious kinds of events, and of two in succession, by Ochiai; at most so many.

    Left out is what all runs reach, a succession that is no more suspicious than either of its ends, and what is less
    than half as suspicious as the first.
    """
    reached = [_reached(run.events) for run in (*failing, *passing)]
    table = sorted(set().union(*reached), key=lambda site: (len(site), site))
    if not (failing and passing and table):
        return ()
    rows = np.array([[site in found for site in table] for found in reached], dtype=np.bool_)
    found = suspects(rows[: len(failing)], rows[len(failing) :], most=len(table))
    score = {table[one.site]: one.score for one in found}
    kept = []
    for one in found:
        site = table[one.site]
        alone = len(site) == 1 or one.score > max(score[(end,)] for end in site)
        if alone and one.failing + one.passing < len(rows) and one.score >= found[0].score / _LEAST:
            kept.append(SuspiciousSite(" -> ".join(site), round(one.score, 4), one.failing, one.passing))
    return tuple(kept[:most])


def suspicious_edges(failing: Sequence[Observed], passing: Sequence[Observed], most: int) -> list[Suspect]:
    """The most suspicious edges of a traced build, by Ochiai, at most so many; `Suspect.site` is an edge.

    Left out is what all runs reach, and what is less than half as suspicious as the first.
    """
    runs = [run for run in (*failing, *passing) if len(run.edges)]
    failed = sum(1 for run in failing if len(run.edges))
    if not (failed and failed < len(runs)):
        return []
    table, rows = spectrum([run.edges for run in runs])
    found = suspects(rows[:failed], rows[failed:], most=len(table))
    telling = [one for one in found if one.failing + one.passing < len(runs) and one.score >= found[0].score / _LEAST]
    return [replace(one, site=int(table[one.site])) for one in telling[:most]]


def by_function(edges: Sequence[Suspect], places: Sequence[str | None], most: int) -> tuple[SuspiciousSite, ...]:
    """Suspicious edges at their places ("file:line function"), the first of each function; at most so many functions.

    Of equally suspicious ones the first outside a header: an edge in one is of what is inlined there.
    """
    found: dict[str, SuspiciousSite] = {}
    for edge, place in zip(edges, places, strict=True):
        if place is None:
            continue
        where, _, function = place.partition(" ")
        name = _PARAMETERS.sub("", function)
        site = SuspiciousSite(f"{where} {name}", round(edge.score, 4), edge.failing, edge.passing)
        first = found.setdefault(name, site)
        if ".h:" in first.where and ".h:" not in where and site.score == first.score:
            found[name] = site
    return tuple(found.values())[:most]


def _reached(events: EventSequence) -> set[tuple[str, ...]]:
    """The kinds of events that a run comes by, and each two in succession."""
    numbers = events.numbers
    singles = {(events.kinds[int(number)],) for number in np.unique(numbers)}
    pairs = np.unique(np.stack([numbers[:-1], numbers[1:]]), axis=1).T if len(numbers) > 1 else ()
    return singles | {(events.kinds[int(before)], events.kinds[int(after)]) for before, after in pairs}
