"""Lines of the solver's sources at the places that a location names, from the sources of a traced build."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from chcfuzz.triage.findings.location import Location

_AROUND = 3  # lines before and after the place at which runs differ
_PLACE = re.compile(r"([\w.]+\.(?:cpp|h|hpp)):(\d+)")
_FIRST = ("muz", "qe")  # folders whose edges are counted; another file of the same name is not meant
_INFO, _SOURCE = "BUILD_INFO", "source="


def sources_of(build: Path) -> Path | None:
    """Return the folder with the sources of a traced build; None if they are gone."""
    try:
        lines = (build / _INFO).read_text().splitlines()
    except OSError:
        return None
    found = [Path(line.removeprefix(_SOURCE)) / "src" for line in lines if line.startswith(_SOURCE)]
    return next((folder for folder in found if folder.is_dir()), None)


def line_at(sources: Path, place: str) -> str:
    """Return the source line of a place such as "dl_rule.cpp:396 f", the first one of a pair; empty if unknown."""
    found = _PLACE.search(place)
    lines = [] if found is None else _lines(sources, found[1])
    number = 0 if found is None else int(found[2])
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def around(sources: Path, place: str, most: int) -> Iterator[str]:
    """Yield the lines around a place with their numbers, `most` before and after; `>` marks the place."""
    found = _PLACE.search(place)
    if found is None:
        return
    at, lines = int(found[2]), _lines(sources, found[1])
    for number in range(max(at - most, 1), min(at + most, len(lines)) + 1):
        yield f"{'>' if number == at else ' '}{number:5} {lines[number - 1]}".rstrip()


@cache
def _lines(sources: Path, name: str) -> list[str]:
    paths = sorted(sources.rglob(name), key=lambda path: (path.relative_to(sources).parts[0] not in _FIRST, path))
    return paths[0].read_text(errors="replace").splitlines() if paths else []


def described(sources: Path, places: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the places whose line is known, each with this line."""
    found = ((place, line_at(sources, place)) for place in places)
    return tuple((place, line) for place, line in found if line)


def lines_of(location: Location, sources: Path) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return the lines at the sites of a location, and those around the event at which its runs differ."""
    event = location.event
    places = [] if event is None else [event.failing or "", event.common or "", event.passing or ""]
    context = next((found for place in places if (found := tuple(around(sources, place, _AROUND)))), ())
    return described(sources, (site.where for site in location.sites)), context
