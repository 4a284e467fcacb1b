"""What a campaign in a run folder has counted, as lines of JSON: written once, never changed, read by whoever wants to.

`docs/run-folder.md` says what a line means, and `docs/statistics.schema.json` what it may hold. Each session of a
campaign begins a file of its own, `<session>-<part>.jsonl`, so that a line which was torn by a power cut is the last
one of a file, where a reader leaves it out. Numbers add up from a session's begin, so that lines can be left out
without loss: where there is too much, every second one is.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import UsageError

FORMAT = "chcfuzz-statistics 1"
SESSION, PROGRESS, FINDING, END = "session", "progress", "finding", "end"
MOST_OF_A_PART = 1 << 20  # bytes
MOST = 16 << 20  # bytes of all parts
_NAME = re.compile(r"(\d{4,})-(\d{4,})\.jsonl")

Line = dict[str, Any]

# What a reader asks of a line; one without it is none. `docs/statistics.schema.json` says more.
_NUMBERS = ("executions", "solved", "traces", "transitions", "waiting", "crashes", "replaced")
_EVERY: dict[str, Any] = {"session": int, "seconds": (int, float)}
_OF_KIND: dict[str, dict[str, Any]] = {
    PROGRESS: {
        **dict.fromkeys((*_NUMBERS, "units", "corpus_bytes", "memory_bytes"), int),
        **dict.fromkeys(("findings", "counters"), dict),
    },
    FINDING: dict.fromkeys(("kind", "name"), str),
}


class Statistics:
    """The one writer of a folder's lines, in a new session. Raises `UsageError` where the disk takes no more."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.session = 1 + max((session for session, _ in map(_numbers, parts(folder))), default=0)
        self._part = 0
        self._size = MOST_OF_A_PART  # so that the first line begins a part

    def write(self, kind: str, seconds: float, /, **content: object) -> None:
        """Add a line. It is on the disk afterwards."""
        line = {"type": kind, "session": self.session, "seconds": round(seconds, 3), **content}
        data = (json.dumps(line, separators=(",", ":")) + "\n").encode()
        try:
            if self._size >= MOST_OF_A_PART:
                self._begin_part()
            with open(self._path, "ab", buffering=0) as file:
                if file.write(data) < len(data):
                    raise OSError(28, "No space left on device")
                os.fsync(file.fileno())
        except OSError as error:
            raise UsageError(f"cannot write {str(self._folder)!r}: {error.strerror}; make room") from error
        self._size += len(data)

    @property
    def _path(self) -> Path:
        return self._folder / f"{self.session:04}-{self._part:04}.jsonl"

    def _begin_part(self) -> None:
        make_room(self._folder)
        self._part += 1
        self._size = 0


def parts(folder: Path) -> list[Path]:
    """The files, in the order of their lines."""
    return sorted((path for path in folder.glob("*.jsonl") if _NAME.fullmatch(path.name)), key=_numbers)


def _numbers(path: Path) -> tuple[int, int]:
    found = _NAME.fullmatch(path.name)
    assert found is not None
    return int(found[1]), int(found[2])


def make_room(folder: Path, most: int = MOST) -> None:
    """Where there is more than `most`, let one file hold what all did, without every second line of progress, until
    that is half. The last progress of a session stays, and so do all lines of other kinds.
    """
    files = parts(folder)
    if sum(path.stat().st_size for path in files) <= most:
        return
    lines, _ = _lines_in(files)
    while _size(lines) > most // 2 and len(thinned := _thinned(lines)) < len(lines):
        lines = thinned
    write_whole(files[-1], b"".join(_packed(line) for line in lines))
    for path in files[:-1]:  # a reader that comes between these two steps finds a line twice, and takes it once
        path.unlink()


def _packed(line: Line) -> bytes:
    return (json.dumps(line, separators=(",", ":")) + "\n").encode()


def _size(lines: Iterable[Line]) -> int:
    return sum(len(_packed(line)) for line in lines)


def _thinned(lines: Sequence[Line]) -> list[Line]:
    last = {line["session"]: number for number, line in enumerate(lines) if line["type"] == PROGRESS}
    kept = []
    even: dict[int, bool] = {}
    for number, line in enumerate(lines):
        session = line["session"]
        if line["type"] == PROGRESS and number != last[session]:
            even[session] = not even.get(session, False)
            if even[session]:
                continue
        kept.append(line)
    return kept


@dataclass(frozen=True)
class SessionRead:
    """One session of a campaign, as its lines tell it: `head` of its begin, `end` of its end, None where it was killed.

    `progress` and `findings` are in the order of their seconds.
    """

    number: int
    head: Line
    progress: list[Line] = field(default_factory=list)
    findings: list[Line] = field(default_factory=list)
    end: Line | None = None

    @property
    def last(self) -> Line | None:
        """What it had counted when it was last heard of."""
        return self.progress[-1] if self.progress else None


def read(folder: Path) -> tuple[list[SessionRead], int]:
    """The sessions of a campaign, and how many lines are none: torn by a kill or a power cut, or damaged since."""
    lines, damaged = _lines_in(parts(folder))
    found: dict[int, SessionRead] = {}
    for line in sorted(lines, key=lambda line: (line["session"], line["type"] != SESSION, line["seconds"])):
        number = line["session"]
        session = found.get(number) or SessionRead(number, line if line["type"] == SESSION else {})
        found[number] = session
        if line["type"] == PROGRESS:
            session.progress.append(line)
        elif line["type"] == FINDING:
            session.findings.append(line)
        elif line["type"] == END:
            found[number] = SessionRead(number, session.head, session.progress, session.findings, line)
    return [found[number] for number in sorted(found)], damaged


def _lines_in(files: Iterable[Path]) -> tuple[list[Line], int]:
    """The lines of files, each once, and how many are damaged."""
    found: dict[bytes, Line] = {}
    damaged = 0
    for path in files:
        for data in path.read_bytes().split(b"\n"):
            if not data.strip(b"\0 "):
                damaged += bool(data)
                continue
            line = _line(data)
            if line is None:
                damaged += 1
            else:
                found[data] = line
    return list(found.values()), damaged


def _line(data: bytes) -> Line | None:
    try:
        line = json.loads(data)
    except ValueError:  # of a wrong encoding too
        return None
    if not isinstance(line, dict) or line.get("type") not in (SESSION, PROGRESS, FINDING, END):
        return None
    wanted = {**_EVERY, **_OF_KIND.get(line["type"], {})}
    if "edges" in line:
        wanted |= dict.fromkeys(("edges", "all_edges"), int)
    return line if all(isinstance(line.get(name), of) for name, of in wanted.items()) else None
