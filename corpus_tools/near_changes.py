"""Units of a corpus whose runs execute functions that a checkout of Z3 changes, by the edges of a traced build."""

from __future__ import annotations

import re
import shutil
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from chcfuzz.campaign.corpus_folder import units_in
from chcfuzz.corpus_tools.coverage import Recorder
from chcfuzz.execution.pipeline import Pipeline, event_source
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.solver_coverage import SourcePlace, load_address, written_places
from chcfuzz.triage.history.commits import Checkout, git
from numpy.typing import NDArray

_FILE, _HUNK = re.compile(r"\+\+\+ b/(.+)"), re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_FOLDER = "src/"  # of Z3's sources

ChangedLines = Mapping[str, Sequence[int]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class NearUnits:
    """Units with the number of changed functions that each executes, the most first, and the names of all of these."""

    units: Sequence[tuple[Path, int]]
    functions: Sequence[str]


def changed_lines(checkout: Path, since: str) -> ChangedLines:
    """Return the lines of Z3's sources in a working tree that differ from a revision; raises `HistoryError`.

    Where lines were only removed, it is the line before.
    """
    commit = Checkout(checkout).commit(since)
    words = ("--unified=0", "--no-color", "--no-ext-diff", "--src-prefix=a/", "--dst-prefix=b/", commit, "--", _FOLDER)
    found: dict[str, list[int]] = {}
    file = ""
    for line in git(checkout, "diff", *words).splitlines():
        if named := _FILE.fullmatch(line):
            file = named[1]
        elif hunk := _HUNK.match(line):
            first, number = int(hunk[1]), int(hunk[2] or 1)
            found.setdefault(file, []).extend(range(first, first + max(1, number)))
    return found


def in_changed_functions(edges: Sequence[SourcePlace | None], changed: ChangedLines) -> dict[str, list[int]]:
    """Return the changed functions, by name, with the numbers of their edges.

    A line before the first edge of a function, such as that of its name, counts for this function and the one before.
    """
    by_function: dict[tuple[str, str], list[int]] = {}
    for number, place in enumerate(edges):
        if place is not None and (path := _relative(place.file)) in changed:
            by_function.setdefault((path, place.function), []).append(number)
    spans: dict[str, list[tuple[int, int, str]]] = {}
    for (path, function), numbers in by_function.items():
        lines = [place.line for number in numbers if (place := edges[number]) is not None]
        spans.setdefault(path, []).append((min(lines), max(lines), function))
    found: dict[str, list[int]] = {}
    for path, functions in spans.items():
        for line in changed[path]:
            found |= {name: by_function[path, name] for name in _around(sorted(functions), line)}
    return dict(sorted(found.items()))


def _around(functions: Sequence[tuple[int, int, str]], line: int) -> list[str]:
    """Return the function of a line, or those before and after it; functions are spans of lines with names."""
    after = bisect_right(functions, line, key=lambda span: span[0])
    is_inside = after > 0 and line <= functions[after - 1][1]
    return [name for _, _, name in functions[max(0, after - 1) : after + (not is_inside)]]


def near(corpora: Sequence[Path], solving: Solving, changed: ChangedLines, on_progress: Progress) -> NearUnits:
    """Execute every unit in a child process of its own, and return those that execute changed functions.

    Raises `UsageError` if the build does not have edge counters, and if no file is a unit.
    """
    library, events = active().traced, event_source(solving)
    if library is None or not len(events.edges.counters):
        raise UsageError("changed functions need a build with edge counters; name one with --z3-library DIR")
    files, _ = units_in(corpora)
    addresses = events.edges.pcs[:, 0] - np.uintp(load_address(library))
    functions = in_changed_functions(written_places(library, addresses), changed)
    pipeline = Pipeline(solving, events=events)
    return those_near(files, functions, lambda: Recorder(pipeline, events), on_progress)


def those_near(
    files: Sequence[Path],
    functions: Mapping[str, Sequence[int]],
    recorder_of_one: Callable[[], Recorder],
    on_progress: Progress = lambda _done, _total: None,
) -> NearUnits:
    """Return the units that execute these functions, given with their edges."""
    found, reached = [], set[str]()
    for done, file in enumerate(files, 1):
        recorder = recorder_of_one()
        for _ in recorder.add_all([file]):
            on_progress(done, len(files))
        executed = _executed(recorder.reached, functions)
        reached.update(executed)
        if executed:
            found.append((file, len(executed)))
    return NearUnits(sorted(found, key=lambda unit: (-unit[1], str(unit[0]))), sorted(reached))


def copy(units: Sequence[tuple[Path, int]], into: Path) -> None:
    """Copy units into a new folder, with their rank before their names; raises `UsageError`."""
    try:
        into.mkdir(parents=True, exist_ok=True)
        for rank, (file, _) in enumerate(units, 1):
            shutil.copyfile(file, into / f"{rank:05}-{file.name}")
    except OSError as error:
        raise UsageError(f"cannot write {str(into)!r}: {error.strerror}; name another folder with --into") from error


def _executed(reached: NDArray[np.bool_], functions: Mapping[str, Sequence[int]]) -> list[str]:
    return [name for name, edges in functions.items() if reached[list(edges)].any()]


def _relative(file: str) -> str:
    """Return the path of a source from the root of Z3's repository, as far as its name shows it."""
    return _FOLDER + file.rpartition(f"/{_FOLDER}")[2]
