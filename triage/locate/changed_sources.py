"""Source files that differ between two releases, ranked by whether a failing run executes the differences."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import counted
from chcfuzz.solvers.z3_sdist import check_version, sources_of

_PLACE = re.compile(r"^([^:]+):(\d+)")
_NEAR = 3  # lines between an executed line and a difference that counts as executed
_ENDS = (".cpp", ".h")


class SourcesError(ChcfuzzError):
    """Folders that are not sources of Z3; the message gives advice."""


@dataclass(frozen=True)
class ChangedFile:
    """A file that differs: its path, the number of changed places, and how many of them a run executes."""

    path: str
    changed: int
    executed: int
    is_reached: bool  # whether the run executes any line of the file

    def __str__(self) -> str:
        reach = f"{self.executed} executed" if self.executed else "file executed" if self.is_reached else "not executed"
        return f"{self.path}: {counted(self.changed, 'place')} changed, {reach}"


def check_sources(named: Iterable[str]) -> None:
    """Raise a `ChcfuzzError` for a text that is neither a version nor a folder with sources; nothing is fetched."""
    for one in named:
        if Path(one).is_dir():
            _check_folder(Path(one))
        else:
            check_version(one)


def source_folders(named: Iterable[str]) -> tuple[Path, Path]:
    """Return the folders of a good and of a bad release; a version means its source distribution, which pip downloads.

    Raises `ReleaseError`.
    """
    good, bad = (Path(one) if Path(one).is_dir() else sources_of(one) for one in named)
    return good, bad


def executed_lines(places: Iterable[str | None]) -> dict[str, list[int]]:
    """Return the executed lines by file name, from places as "file.cpp:12 function"."""
    found: dict[str, list[int]] = {}
    for place in places:
        match = None if place is None else _PLACE.match(place)
        if match is not None:
            found.setdefault(match[1], []).append(int(match[2]))
    return found


def changed_files(old: Path, new: Path, executed: Mapping[str, list[int]]) -> list[ChangedFile]:
    """Return the files below `src` that differ, those with executed differences first; raises `SourcesError`.

    `executed` are lines of the new sources.
    """
    for folder in (old, new):
        _check_folder(folder)
    found = []
    for path in sorted(path for path in (new / "src").rglob("*") if path.suffix in _ENDS):
        before, name = old / path.relative_to(new), str(path.relative_to(new))
        texts = [file.read_text(errors="replace") if file.is_file() else "" for file in (before, path)]
        if texts[0] != texts[1]:
            found.append(_compared(name, texts[0].splitlines(), texts[1].splitlines(), executed.get(path.name, [])))
    return sorted(found, key=lambda one: (-one.executed, not one.is_reached, one.path))


def _check_folder(folder: Path) -> None:
    if not (folder / "src" / "muz").is_dir():
        raise SourcesError(f"{str(folder)!r} is not a folder with sources of Z3: src/muz is missing; name another")


def _compared(name: str, before: list[str], after: list[str], executed: list[int]) -> ChangedFile:
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    places = [(start, end) for tag, _, _, start, end in matcher.get_opcodes() if tag != "equal"]
    hits = sum(any(start + 1 - _NEAR <= line <= end + _NEAR for line in executed) for start, end in places)
    return ChangedFile(name, len(places), hits, bool(executed))
