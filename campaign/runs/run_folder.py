"""The folder that holds everything about a campaign (`--run-dir`), and from which it is resumed (`--resume`).

::

    run.json           the flags and the corpora of the first session; packaged corpora by name (`packaged:corpus`)
    corpus/            the units that libFuzzer keeps, one file for each
    findings/          as without a run folder: findings, buckets, outcomes, state.json
    statistics/        lines of JSON (`run_statistics`)
    tables.json        named numbers (`tallies`), of all sessions together
    traces/<build>     hashes of the traces seen under a build of the solver, eight bytes each, the latest last
    transitions/<build>  the same for transitions
    functions/<build>  functions of a traced build that were reached (`reached_functions`)
    lock               locked by the process that writes

`docs/run-folder.md` describes the files for readers. A new build of the solver changes `<build>`:
recipes remain valid, and traces are measured again.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from chcfuzz.campaign.session import tallies
from chcfuzz.campaign.session.tallies import Totals
from chcfuzz.execution.codec import CodecError, fields_of
from chcfuzz.execution.files import open_plain, read_plain, write_whole
from chcfuzz.execution.identity import Identity
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.seeds import located, portable
from chcfuzz.solvers.z3_release import active
from numpy.typing import NDArray

FORMAT, TABLES_FORMAT = "chcfuzz-run 1", "chcfuzz-tables 1"
_LOCK_TRIES, _LOCK_WAIT = 5, 0.05  # seconds
SEEN = TRACES, TRANSITIONS = "traces", "transitions"
_RUN, _TABLES, _LOCK = "run.json", "tables.json", "lock"


class RunFolder:
    """The paths and files of a run folder. Methods raise `UsageError` for files that cannot be read or written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.corpus = path / "corpus"
        self.findings = path / "findings"
        self.statistics = path / "statistics"

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders inside."""
        return (self.corpus, self.findings, self.statistics, *map(self.path.joinpath, SEEN))

    @property
    def is_begun(self) -> bool:
        """Whether the folder holds a campaign."""
        return (self.path / _RUN).exists()

    def ensure_begun(self) -> None:
        """Raise `UsageError` unless the folder holds a campaign."""
        if not self.is_begun:
            raise UsageError(f"{str(self.path)!r} is not a run folder: {_RUN} is missing; --run-dir creates one")

    def begin(self, program: str, words: Sequence[str]) -> None:
        """Create the folders, and write how the campaign was started, unless that is written already."""
        try:
            for folder in (self.path, *self.folders):
                folder.mkdir(parents=True, exist_ok=True)
            if not self.is_begun:
                self._write(
                    _RUN,
                    {
                        "format": FORMAT,
                        "program": program,
                        "words": [word if word.startswith("-") else portable(word) for word in words],
                    },
                )
        except OSError as error:
            raise UsageError(f"cannot write {str(self.path)!r}: {error.strerror}; name another --run-dir") from error

    def begun_with(self) -> tuple[str, list[str]]:
        """Return the program and the command line of the campaign's first session."""
        self.ensure_begun()
        written = self._read(_RUN, FORMAT)
        try:
            return str(written["program"]), [located(str(word)) for word in written["words"]]
        except (KeyError, TypeError) as error:
            raise UsageError(f"{str(self.path / _RUN)!r} is damaged: {error}") from error

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other campaigns out of the folder. Raises `UsageError` if one runs there."""
        with contextlib.ExitStack() as inside:
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                file = inside.enter_context(open_plain(self.path / _LOCK, "wb"))
                _lock(file)
            except BlockingIOError as error:
                raise UsageError(f"another campaign runs in {str(self.path)!r}; name another --run-dir") from error
            except OSError as error:
                raise UsageError(
                    f"cannot write {str(self.path)!r}: {error.strerror}; name another --run-dir"
                ) from error
            yield

    @property
    def is_running(self) -> bool:
        """Whether a campaign runs in the folder: the kernel releases the lock however the campaign ends."""
        try:
            with open_plain(self.path / _LOCK) as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def seen(self, kind: str, build: str) -> NDArray[np.uint64]:
        """Return the hashes of all traces or transitions seen under a build, (n,), ascending, without a torn last one.

        `kind` is one of `SEEN`.
        """
        try:
            data = read_plain(self.path / kind / build)
        except FileNotFoundError:
            return np.zeros(0, np.uint64)
        return np.unique(np.frombuffer(data[: len(data) // 8 * 8], dtype="<u8").astype(np.uint64))

    def add_seen(self, kind: str, build: str, hashes: NDArray[np.uint64]) -> None:
        """Append hashes to those of a build, and delete a torn one before them."""
        folder = self.path / kind
        try:
            folder.mkdir(exist_ok=True)  # an earlier version made no folder of transitions
            with open_plain(folder / build, "ab") as file:
                file.truncate(file.tell() // 8 * 8)
                file.write(hashes.astype("<u8").tobytes())
        except OSError as error:
            raise UsageError(f"cannot write {str(folder)!r}: {error.strerror}; make room") from error

    def tables(self) -> Totals:
        """Return the named numbers of all sessions."""
        if not (self.path / _TABLES).exists():
            return tallies.added(())
        try:
            return tallies.of_rows(self._read(_TABLES, TABLES_FORMAT)["rows"])
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"{str(self.path / _TABLES)!r} is damaged ({error}); remove it") from error

    def write_tables(self, totals: Totals) -> None:
        """Replace the named numbers."""
        try:
            self._write(_TABLES, {"format": TABLES_FORMAT, "rows": tallies.rows(totals)})
        except OSError as error:
            raise UsageError(f"cannot write {str(self.path)!r}: {error.strerror}; make room") from error

    def _write(self, name: str, content: dict[str, Any]) -> None:
        write_whole(self.path / name, (json.dumps(content) + "\n").encode(), durable=True)

    def _read(self, name: str, format: str) -> dict[str, Any]:
        path = self.path / name
        advice = "remove it" if name == _TABLES else "begin another run with --run-dir"
        try:
            return fields_of(read_plain(path), format)
        except OSError as error:
            raise UsageError(f"cannot read {str(path)!r}: {error.strerror}; {advice}") from error
        except CodecError as error:
            raise UsageError(f"{str(path)!r} {error}; {advice}, unless a newer chcfuzz reads it") from error


def _lock(file: BinaryIO) -> None:
    """Lock a file; raises `BlockingIOError`. Another process that runs `is_running` holds the lock for a moment."""
    for _ in range(_LOCK_TRIES):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(_LOCK_WAIT)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def build_info() -> str:
    """Return the description of the traced build in this process; empty for a released Z3."""
    return "" if active().traced is None else (active().library_folder.parent / "BUILD_INFO").read_text()


def build_of(solving: Solving) -> str:
    """Return a name for everything that determines the traces: the solver, its build, its sources of events."""
    given = [Identity.of(solving).solver, *solving.trace_tags, solving.command or "", solving.dialect or ""]
    return hashlib.sha256(json.dumps(given).encode()).hexdigest()[:16]


def size_of(folder: Path) -> tuple[int, int]:
    """Return the number of files directly in a folder, and their bytes."""
    sizes = [size for _, size, _ in _files(folder)]
    return len(sizes), sum(sizes)


def _files(folder: Path) -> list[tuple[int, int, str]]:
    """Return the time stamp, the size and the path of each file directly in a folder; none if it was removed."""
    found = []
    with contextlib.suppress(FileNotFoundError):
        for entry in os.scandir(folder):
            with contextlib.suppress(FileNotFoundError):  # it was renamed in the meantime
                status = entry.stat()
                found.append((status.st_mtime_ns, status.st_size, entry.path))
    return found


def make_room(corpus: Path, most_bytes: int, most_units: int) -> int:
    """Delete units of a corpus that exceeds a limit until a tenth of the limit is free; return their number.

    If there are too many bytes, the largest units are deleted: they slow a campaign down most, and the fewest units are
    lost. If there are too many units, the oldest are deleted: libFuzzer's schedule prefers young units.
    """
    found = _files(corpus)
    too_many = len(found) - most_units * 9 // 10 if len(found) > most_units else 0
    found.sort()
    gone, rest = [path for _, _, path in found[:too_many]], [(size, path) for _, size, path in found[too_many:]]
    total = sum(size for size, _ in rest)
    least = most_bytes * 9 // 10 if total > most_bytes else total
    for size, path in sorted(rest, reverse=True):
        if total <= least:
            break
        gone.append(path)
        total -= size
    for path in gone:
        Path(path).unlink(missing_ok=True)
    return len(gone)
