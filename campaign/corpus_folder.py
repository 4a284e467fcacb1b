"""The corpus folder that libFuzzer writes into: made, seen to take files, and seen to hold what was written.

libFuzzer does not look whether a write succeeds. On a full disk it leaves empty and cut files behind, which no later
campaign can use, and goes on as if they were kept.
"""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import UsageError
from chcfuzz.mutators.recipe import digest, read

UNSAVED = "unsaved"  # beside the findings: units that the corpus folder did not take
GONE, MERGED = "it is gone, others with its trace may come", "the folder that it came from has it still"
_NAME = re.compile(r"[0-9a-f]{40}")


class CorpusError(UsageError):
    """A corpus folder that does not take a unit any more; `fate` says in words where the unit is."""

    def __init__(self, folder: Path, reason: str, fate: str) -> None:
        super().__init__(
            f"cannot write the corpus {str(folder)!r}: {reason}; {fate}; make room, or name another folder"
        )


def prepare(folder: Path) -> None:
    """Make the folder if it is not there, and see that it takes files; raises `UsageError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        told = f"cannot write the corpus {str(folder)!r}: {error.strerror}"
        raise UsageError(f"{told}; what is learned goes there: name a folder first that can be written") from error


def see_readable(folders: Iterable[Path]) -> None:
    """See that libFuzzer can list these folders, which it gives up over, and read their files, which it takes for empty
    ones otherwise; raises `UsageError`.
    """

    def refuse(error: OSError, what: str = "corpus folder") -> None:
        told = f"cannot read the {what} {str(error.filename)!r}: {error.strerror}"
        raise UsageError(f"{told}; make it readable, or move it out of the corpus") from error

    for folder in folders:
        for inside, _, names in os.walk(folder, onerror=refuse):
            for name in names:
                path = os.path.join(inside, name)
                if os.path.isfile(path) and not os.access(path, os.R_OK):
                    refuse(PermissionError(errno.EACCES, os.strerror(errno.EACCES), path), "unit")


def size(folders: Iterable[Path]) -> int:
    """How many files libFuzzer finds in these folders."""
    return sum(len(names) for folder in folders for _, _, names in os.walk(folder))


def units(folders: Iterable[Path]) -> Iterator[bytes]:
    """What libFuzzer reads at its start, as far as it can be read: the small files first, as it does."""
    files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    for path in sorted(files, key=lambda path: path.stat().st_size):
        with suppress(OSError):
            yield path.read_bytes()


def units_in(corpora: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """The files of the corpora that are units, each content once, and a line for each that is none.

    Raises `UsageError` for a corpus that is not there or holds no unit.
    """
    found: dict[str, Path] = {}
    refused = []
    for corpus in corpora:
        if not corpus.exists():
            raise UsageError(f"no such file or folder: {str(corpus)!r}")
        for path in sorted(corpus.rglob("*")) if corpus.is_dir() else [corpus]:
            if path.is_file():
                data = path.read_bytes()
                fault = read(data).fault
                if fault is None:
                    found.setdefault(digest(data), path)
                else:
                    refused.append(f"{str(path)!r} {fault}")
    if not found:
        raise UsageError(f"no unit in {', '.join(repr(str(corpus)) for corpus in corpora)}")
    return list(found.values()), refused


def see_kept(folder: Path, unit: bytes, findings: Path, worth: bool = True) -> bool:
    """See that a unit which libFuzzer may just have written is whole, and there if it is worth that; else write it.

    Whether it is there. Raises `CorpusError` where that cannot be done; the unit is beside the findings then, if there
    is room.
    """
    path = folder / digest(unit)
    try:
        size = path.stat().st_size
    except OSError:
        size = None
    if size is None and not worth:
        return False
    if size == len(unit):
        return True
    try:
        write_whole(path, unit)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise CorpusError(folder, os.strerror(error.errno or 0), _fate(save([unit], findings))) from error
    return True


def mend(folder: Path, since: float, units: Iterable[Path], findings: Path, others: str = GONE) -> None:
    """Take out what is cut of the units that libFuzzer wrote into a folder after `since`, seconds of the epoch.

    Those that are among `units`, files of the same names, are written again, here or beside the findings; `others` says
    what is with the rest. Raises `CorpusError` if any of them could not be written here.
    """
    known = {path.name: path for path in units}
    failed: CorpusError | None = None
    for path in _cut(folder, since):
        path.unlink(missing_ok=True)
        if path.name not in known:
            failed = CorpusError(folder, f"unit {path.name} was cut", others)
            continue
        try:
            see_kept(folder, known[path.name].read_bytes(), findings)
        except CorpusError as error:
            failed = error
    if failed is not None:
        raise failed


def take_out_cut(folder: Path) -> int:
    """Take out units that a power cut has left empty or cut, of a folder that chcfuzz alone writes into; how many."""
    cut = _cut(folder, 0.0)
    for path in cut:
        path.unlink(missing_ok=True)
    return len(cut)


def save(units: Iterable[bytes], findings: Path) -> Path | None:
    """Keep what a corpus does not take beside the findings; the folder, or None where there is no room either."""
    folder = findings / UNSAVED
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for unit in units:
            write_whole(folder / digest(unit), unit)
    except OSError:
        return None
    return folder


def _fate(saved: Path | None) -> str:
    return f"what it did not take is in {str(saved)!r}" if saved else "nor is there room for it beside the findings"


def _cut(folder: Path, since: float) -> list[Path]:
    """Files that have a unit's name, and not its content."""
    found = []
    for entry in os.scandir(folder):
        if _NAME.fullmatch(entry.name) and entry.is_file() and entry.stat().st_mtime >= since:
            path = Path(entry.path)
            if digest(path.read_bytes()) != entry.name:
                found.append(path)
    return sorted(found)
