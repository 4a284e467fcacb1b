"""Differences between failing and passing runs: the first event at which they diverge, and suspicious sites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from chcfuzz.tracing.trace import EventSequence
from chcfuzz.triage.findings.location import PartingEvent, SuspiciousSite
from chcfuzz.triage.locate.pool import Observed
from chcfuzz.triage.locate.spectrum import SuspectSite, last_parting, spectrum, suspects

_RATIO = 2  # a site is left out if its score is less than the best score divided by this


def parting_event(failing: Observed, passing: Sequence[Observed]) -> PartingEvent | str:
    """Return the event at which the failing run diverges from the passing run with the longest common prefix.

    If they do not diverge, return the reason as text.
    """
    if failing.events.start:
        return "the failing run has more events than can be stored"
    whole = [run for run in passing if not run.events.start]
    if not whole:
        return "no passing run to compare with"
    found = last_parting(failing.events.numbers, [run.events.numbers for run in whole])
    if found is None:
        numbers = failing.events.numbers
        same = next(run for run in whole if np.array_equal(run.events.numbers, numbers))
        events = "the events are the same" if len(numbers) else "both runs lack events"
        return f"{events} under {same.neighbour.name}, where the solver is right"
    number, place = found
    other = whole[number]
    event = PartingEvent(
        place.place,
        _description(failing.events, place.failing),
        _description(other.events, place.passing),
        _description(failing.events, int(failing.events.numbers[place.place - 1]) if place.place else None),
        other.neighbour.name,
    )
    return event if event.is_in_both else f"one run has no events, under {other.neighbour.name}"


def _description(events: EventSequence, number: int | None) -> str | None:
    return None if number is None else events.labels[number]


def suspicious_sites(failing: Sequence[Observed], passing: Sequence[Observed], most: int) -> tuple[SuspiciousSite, ...]:
    """Return the `most` most suspicious kinds of events and pairs of successive events, by Ochiai score.

    Left out are sites that all runs reach, pairs whose score is not higher than that of both of their events, and sites
    with less than half of the best score.
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
        if alone and one.failing + one.passing < len(rows) and one.score >= found[0].score / _RATIO:
            kept.append(SuspiciousSite(" -> ".join(site), round(one.score, 4), one.failing, one.passing))
    return tuple(kept[:most])


def suspicious_edges(failing: Sequence[Observed], passing: Sequence[Observed], most: int) -> list[SuspectSite]:
    """Return the `most` most suspicious edges of a traced build, by Ochiai score; `SuspectSite.site` is an edge.

    Left out are edges that the first failing run, that of the finding, does not reach, edges that all runs reach, and
    edges with less than half of the best score.
    """
    runs = [run for run in (*failing, *passing) if len(run.edges)]
    failed = sum(1 for run in failing if len(run.edges))
    if not (failed and failed < len(runs)):
        return []
    table, rows = spectrum([run.edges for run in runs])
    found = suspects(rows[:failed], rows[failed:], most=len(table))
    reached = rows[0]
    found = [one for one in found if reached[one.site] and one.failing + one.passing < len(runs)]
    found = [one for one in found if one.score >= found[0].score / _RATIO]
    return [replace(one, site=int(table[one.site])) for one in found[:most]]


def _reached(events: EventSequence) -> set[tuple[str, ...]]:
    """Return the kinds of events of a run, and the pairs of successive kinds."""
    numbers = events.numbers
    singles = {(events.kinds[int(number)],) for number in np.unique(numbers)}
    pairs = np.unique(np.stack([numbers[:-1], numbers[1:]]), axis=1).T if len(numbers) > 1 else ()
    return singles | {(events.kinds[int(before)], events.kinds[int(after)]) for before, after in pairs}
