"""The functions of the solver that Horn systems can reach and a campaign never did, with a traced build."""

from __future__ import annotations

from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from chcfuzz.campaign.runs import reached_functions
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.execution.files import LinkError, read_plain
from chcfuzz.execution.solving import UsageError
from chcfuzz.tracing.solver_coverage import SourcePlace
from chcfuzz.tracing.solver_functions import inlined, reachable, with_lines


@dataclass(frozen=True)
class File:
    """A file of the solver: functions that were never reached, by line, and the number of all reachable ones."""

    name: str
    never: tuple[SourcePlace, ...]
    all: int


@dataclass(frozen=True)
class Unreached:
    """Files with functions that were never reached, those with most of them first; numbers of reachable functions."""

    files: tuple[File, ...]
    reached: int
    all: int


def read(run: RunFolder, build: str) -> Unreached | None:
    """Return the functions of a run; None without a traced build, and if the campaign never reached one of them.

    Raises `ChcfuzzError` if the library has changed, or if its debug information cannot be read.
    """
    found = reached_functions.read(run.path, build)
    if found is None:
        return None
    library = Path(found.library)
    try:
        is_same = read_plain(library.parent.parent / "BUILD_INFO") == found.build_info.encode()
    except (OSError, LinkError):
        is_same = False
    if not is_same:
        raise UsageError(f"functions: {found.library!r} is not the library of the campaign any more; build it again")
    return _summarized(library, found.reached, found.edges, found.never)


@lru_cache(maxsize=4)  # the page of a running campaign is made again and again
def _summarized(
    library: Path, entered: tuple[int, ...], edges: tuple[int, ...], never: tuple[int, ...]
) -> Unreached | None:
    reached, others = (set(filter(None, reachable(library, entries))) for entries in (entered, never))
    if not reached:
        return None
    return summarized(reached, others, inlined(library, edges))


def summarized(entered: Set[SourcePlace], others: Set[SourcePlace], lines: Set[SourcePlace]) -> Unreached:
    """Return the summary of functions that were entered and others; `lines` are those of inlined ones."""
    every = entered | others
    reached = entered | with_lines(every, lines)
    never: dict[str, list[SourcePlace]] = defaultdict(list)
    for place in sorted(every - reached, key=lambda place: (place.file, place.line)):
        never[place.file].append(place)
    in_all = Tally(place.file for place in every)
    files = (File(name, tuple(inside), in_all[name]) for name, inside in never.items())
    ordered = sorted(files, key=lambda file: (-len(file.never), file.name))
    return Unreached(tuple(ordered), len(reached), in_all.total())
