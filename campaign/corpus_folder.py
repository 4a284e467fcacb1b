"""The corpus folder that libFuzzer writes into.

libFuzzer ignores failed writes. On a full disk it leaves empty and cut files behind, which no later campaign can use,
and continues as if they were kept. The functions here detect and repair such files.
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
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Unit, digest, read
from chcfuzz.mutators.seeds import own_part, own_seeds

UNSAVED = "unsaved"  # in the findings folder: units that could not be written to the corpus
GONE, MERGED = "it is lost, another unit may have the same trace", "the folder that it comes from still holds it"
_NAME = re.compile(r"[0-9a-f]{40}")
_FOLDERS = {"interpolation": "itp"}  # for new units, as in the names of the folders with seeds


class CorpusError(UsageError):
    """A corpus folder that cannot be written; `fate` describes where the unit is."""

    def __init__(self, folder: Path, reason: str, fate: str) -> None:
        super().__init__(
            f"cannot write the corpus {str(folder)!r}: {reason}; {fate}; make room, or name another folder"
        )


def is_own(folder: Path) -> bool:
    """Return whether a folder belongs to the project's seeds: campaigns only read these folders."""
    return own_part(folder) is not None


def grown(domain: str | None) -> Path:
    """Return the folder for new units of a campaign that is given none: beside the seeds, or in the current folder.

    Each domain has one, since it does not read the units of another one.
    """
    name = domain or roots.DEFAULT_DOMAIN
    here = Path("grown", _FOLDERS.get(name) or re.sub(r"\W+", "-", name))
    return own_seeds().parent / here if is_own(Path()) else here


def prepare(folder: Path) -> None:
    """Create the folder if necessary, and ensure that it can be written. Raises `UsageError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        problem = f"cannot write the corpus {str(folder)!r}: {error.strerror}"
        raise UsageError(f"{problem}; new units go to the first folder: name a writable one") from error


def ensure_readable(folders: Iterable[Path]) -> None:
    """Ensure that libFuzzer can list these folders and read their files. Raises `UsageError`.

    libFuzzer exits if it cannot list a folder, and treats a file that it cannot read as empty.
    """

    def refuse(error: OSError, what: str = "corpus folder") -> None:
        problem = f"cannot read the {what} {str(error.filename)!r}: {error.strerror}"
        raise UsageError(f"{problem}; make it readable, or move it out of the corpus") from error

    for folder in folders:
        for inside, _, names in os.walk(folder, onerror=refuse):
            for name in names:
                path = os.path.join(inside, name)
                if os.path.isfile(path) and not os.access(path, os.R_OK):
                    refuse(PermissionError(errno.EACCES, os.strerror(errno.EACCES), path), "unit")


def ensure_of_domain(inputs: Iterable[Path]) -> None:
    """Raise `UsageError` if the active domain reads no unit of these folders, and another one reads the first.

    Only the files up to the first unit are read.
    """
    folders = [folder for folder in inputs if folder.is_dir()]
    first = None
    for _, data, fault in _read_in(folders):
        if fault is None:
            return
        first = first or data
    other = reading_domain(first) if first else ""
    if other:
        named, noun = ", ".join(repr(str(folder)) for folder in folders), roots.active().noun
        raise UsageError(f"no {noun} in {named}; add --domain={other}, which reads the files, or name another folder")


def reading_domain(unit: bytes) -> str:
    """Return the domain that reads a unit which the active one refuses; empty without one."""
    return next((name for name in roots.DOMAINS if Unit(unit, roots.load(name).roots).fault is None), "")


def size(folders: Iterable[Path]) -> int:
    """Return the number of files that libFuzzer finds in these folders."""
    return sum(len(names) for folder in folders for _, _, names in os.walk(folder))


def units(folders: Iterable[Path]) -> Iterator[bytes]:
    """Yield the content of all readable files, the small ones first, as libFuzzer reads them at its start."""
    files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    for path in sorted(files, key=lambda path: path.stat().st_size):
        with suppress(OSError):
            yield path.read_bytes()


def units_in(corpora: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """Return the files of the corpora that are units, each content once, and a line for each rejected file.

    Raises `UsageError` for a corpus that does not exist or does not hold any unit.
    """
    found: dict[str, Path] = {}
    refused = []
    for path, data, fault in _read_in(corpora):
        if fault is None:
            found.setdefault(digest(data), path)
        else:
            refused.append(f"{str(path)!r} {fault}")
    if not found:
        raise _without_units(corpora)
    return list(found.values()), refused


def check_corpora(corpora: Sequence[Path]) -> None:
    """Raise the `UsageError` of `units_in`; only the files up to the first unit are read."""
    if all(fault is not None for _, _, fault in _read_in(corpora)):
        raise _without_units(corpora)


def _read_in(corpora: Sequence[Path]) -> Iterator[tuple[Path, bytes, str | None]]:
    """Yield the files of the corpora with their contents, each with the reason why it is not a unit, or None."""
    missing = next((corpus for corpus in corpora if not corpus.exists()), None)
    if missing is not None:
        raise UsageError(f"no such file or folder: {str(missing)!r}")
    for corpus in corpora:
        for path in sorted(corpus.rglob("*")) if corpus.is_dir() else [corpus]:
            if not path.is_file():
                continue
            try:
                data = path.read_bytes()
            except OSError as error:
                yield path, b"", f"cannot be read: {error.strerror}"
            else:
                yield path, data, read(data).fault


def _without_units(corpora: Sequence[Path]) -> UsageError:
    return UsageError(f"no unit in {', '.join(repr(str(corpus)) for corpus in corpora)}")


def ensure_kept(folder: Path, unit: Unit, findings: Path, is_needed: bool = True) -> bool:
    """Write a unit again if libFuzzer has just written a part of it, or nothing although it `is_needed`.

    Return whether the unit is in the folder. Raises `CorpusError` if it cannot be written; it is saved in the findings
    folder then, unless that is full too.
    """
    path = folder / unit.digest
    try:
        size = path.stat().st_size
    except OSError:
        size = None
    if size is None and not is_needed:
        return False
    if size == len(unit.data):
        return True
    try:
        write_whole(path, unit.data)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise CorpusError(folder, os.strerror(error.errno or 0), _fate(save([unit.data], findings))) from error
    return True


def repair(folder: Path, since: float, units: Iterable[Path], findings: Path, others: str = GONE) -> None:
    """Delete the cut units that libFuzzer wrote into a folder after `since`, in seconds of the epoch.

    Units whose complete files are among `units` are written again, here or in the findings folder; `others` describes
    where the rest is. Raises `CorpusError` if a unit could not be written here, or if the folder was removed.
    """
    known = {path.name: path for path in units}
    failed: CorpusError | None = None
    try:
        cut = _cut(folder, since)
    except OSError as error:
        raise CorpusError(folder, os.strerror(error.errno or 0), "its units cannot be checked") from error
    for path in cut:
        path.unlink(missing_ok=True)
        if path.name not in known:
            failed = CorpusError(folder, f"unit {path.name} was cut", others)
            continue
        try:
            ensure_kept(folder, Unit(known[path.name].read_bytes()), findings)
        except CorpusError as error:
            failed = error
    if failed is not None:
        raise failed


def delete_cut(folder: Path) -> int:
    """Delete the units that a power cut has left empty or cut in a folder of chcfuzz; return their number."""
    cut = _cut(folder, 0.0)
    for path in cut:
        path.unlink(missing_ok=True)
    return len(cut)


def save(units: Iterable[bytes], findings: Path) -> Path | None:
    """Save units in the findings folder; return the folder with them, or None if that cannot be written either."""
    folder = findings / UNSAVED
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for unit in units:
            write_whole(folder / digest(unit), unit)
    except OSError:
        return None
    return folder


def _fate(saved: Path | None) -> str:
    return f"the unit is in {str(saved)!r}" if saved else "the findings folder is full too"


def _cut(folder: Path, since: float) -> list[Path]:
    """Return the files that are named like a unit and have another content."""
    found = []
    for entry in os.scandir(folder):
        with suppress(FileNotFoundError):  # libFuzzer deletes a unit when it has a smaller one
            if _NAME.fullmatch(entry.name) and entry.is_file() and entry.stat().st_mtime >= since:
                path = Path(entry.path)
                if digest(path.read_bytes()) != entry.name:
                    found.append(path)
    return sorted(found)
