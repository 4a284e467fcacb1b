"""The choice of faults: an even share for each folder, file and operator, in the order of a hash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bench.faults.sites import Site


def drawn(sites: Iterable[Site]) -> Iterator[Site]:
    """Yield sites, one of each pair of a file and an operator in turn, that do not overlap with earlier ones."""
    strata: dict[tuple[str, str], list[Site]] = {}
    for site in sorted(sites, key=lambda site: site.order, reverse=True):
        strata.setdefault((site.file, site.operator), []).append(site)
    taken: dict[str, list[tuple[int, int]]] = {}
    waiting = sorted(strata.values(), key=lambda stratum: stratum[-1].order)
    while waiting:
        for stratum in waiting:
            site = stratum.pop()
            others = taken.setdefault(site.file, [])
            if all(end <= site.begin or site.end <= begin for begin, end in others):
                others.append((site.begin, site.end))
                yield site
        waiting = [stratum for stratum in waiting if stratum]
