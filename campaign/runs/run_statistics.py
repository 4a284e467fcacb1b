"""The numbers of a campaign in a run folder, as lines of JSON that are written once and never changed.

`docs/run-folder.md` describes the lines, `docs/statistics.schema.json` is their schema. Each session of a campaign
begins a file of its own, `<session>-<part>.jsonl`, so that a line torn by a power cut is the last one of its file,
where a reader ignores it. Numbers are totals since the start of the session, so that lines can be deleted without loss:
if there are too many, every second one is deleted.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chcfuzz.execution.codec import CodecError, parsed
from chcfuzz.execution.files import is_name, open_plain, read_plain, write_whole
from chcfuzz.execution.solving import UsageError

FORMAT = "chcfuzz-statistics 1"
SESSION, PROGRESS, FINDING, END = "session", "progress", "finding", "end"
MOST_OF_A_PART = 1 << 20  # bytes
MOST = 16 << 20  # bytes of all parts
_NAME = re.compile(r"(\d{4,})-(\d{4,})\.jsonl")

Line = dict[str, Any]

# Fields that a line must have; other lines count as damaged. `docs/statistics.schema.json` has all fields.
_NUMBERS = ("executions", "solved", "traces", "transitions", "waiting", "crashes", "replaced")
_EVERY: dict[str, Any] = {"session": int, "seconds": (int, float)}
_NAMES = ("build", "name")  # fields that name a file in the run folder
_OF_KIND: dict[str, dict[str, Any]] = {
    PROGRESS: {
        **dict.fromkeys((*_NUMBERS, "units", "corpus_bytes", "memory_bytes"), int),
        **dict.fromkeys(("findings", "counters"), dict),
    },
    FINDING: dict.fromkeys(("kind", "name"), str),
}


class Statistics:
    """The only writer of a folder's lines, in a new session."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.session = 1 + max((session for session, _ in map(_numbers, parts(folder))), default=0)
        self._part = 0
        self._size = MOST_OF_A_PART  # so that the first line begins a part

    def write(self, kind: str, seconds: float, /, **content: object) -> None:
        """Append a line and flush it to the disk. Raises `UsageError` if the disk is full."""
        line = {"type": kind, "session": self.session, "seconds": round(seconds, 3), **content}
        data = (json.dumps(line, separators=(",", ":")) + "\n").encode()
        try:
            if self._size >= MOST_OF_A_PART:
                self._begin_part()
            with open_plain(self._path, "ab") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            self._size = MOST_OF_A_PART  # the next line begins a part, because this one may be torn
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
    """Return the files in the order of their lines."""
    return sorted((path for path in folder.glob("*.jsonl") if _NAME.fullmatch(path.name)), key=_numbers)


def _numbers(path: Path) -> tuple[int, int]:
    found = _NAME.fullmatch(path.name)
    assert found is not None
    return int(found[1]), int(found[2])


def make_room(folder: Path, most: int = MOST) -> None:
    """Merge all files into one if they have more than `most` bytes, and delete lines until half of that is left.

    Every second line of progress is deleted, but not the last one of a session, nor any line of another kind.
    """
    files = parts(folder)
    if sum(path.stat().st_size for path in files) <= most:
        return
    lines, _ = _lines_in(files)
    while _size(lines) > most // 2 and len(thinned := _thinned(lines)) < len(lines):
        lines = thinned
    write_whole(files[-1], b"".join(_packed(line) for line in lines))
    for path in files[:-1]:  # a reader between these two steps finds a line twice, and uses it once
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
    """The lines of one session: `head` is the first one, `end` the last one, None if the session was killed.

    `progress` and `findings` are in the order of their seconds.
    """

    number: int
    head: Line
    progress: list[Line] = field(default_factory=list)
    findings: list[Line] = field(default_factory=list)
    end: Line | None = None

    @property
    def last(self) -> Line | None:
        """The latest line of progress."""
        return self.progress[-1] if self.progress else None


def read(folder: Path) -> tuple[list[SessionRead], int]:
    """Return the sessions of a campaign, and the number of torn or damaged lines.

    Raises `UsageError` if another version has written them in another format.
    """
    lines, damaged = _lines_in(parts(folder))
    found: dict[int, SessionRead] = {}
    for line in sorted(lines, key=lambda line: (line["session"], line["type"] != SESSION, line["seconds"])):
        if line["type"] == SESSION and line.get("format", FORMAT) != FORMAT:
            raise UsageError(f"{str(folder)!r} is not of the format {FORMAT!r}; a newer chcfuzz may read it")
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
    """Return the lines of files, each once, and the number of damaged lines."""
    found: dict[bytes, Line] = {}
    damaged = 0
    for path in files:
        for data in _content(path).split(b"\n"):
            if not data.strip(b"\0 "):
                damaged += bool(data)
                continue
            line = _line(data)
            if line is None:
                damaged += 1
            else:
                found[data] = line
    return list(found.values()), damaged


def _content(path: Path) -> bytes:
    """Return the bytes of a file; none if `make_room` has just merged it into the last file, which is read later."""
    try:
        return read_plain(path)
    except FileNotFoundError:
        return b""


def _is_name(value: object) -> bool:
    return isinstance(value, str) and is_name(value)


def _line(data: bytes) -> Line | None:
    try:
        line = parsed(data)
    except CodecError:  # includes a wrong encoding
        return None
    if not isinstance(line, dict) or line.get("type") not in (SESSION, PROGRESS, FINDING, END):
        return None
    wanted = {**_EVERY, **_OF_KIND.get(line["type"], {})}
    if "edges" in line:
        wanted |= dict.fromkeys(("edges", "all_edges"), int)
    names = [line[field] for field in _NAMES if line.get(field)]
    return (
        line
        if all(map(_is_name, names)) and all(isinstance(line.get(name), of) for name, of in wanted.items())
        else None
    )
