"""The spool: a folder beside the findings with the suspicions that wait for their examination.

A suspicion is removed when its result is stored. The next campaign, or `chcfuzz confirm`, examines the suspicions that
a campaign leaves in the spool. A frequent bug must not fill the disk and the queue: at most `MOST_ALIKE` suspicions of
a family of symptoms wait, an even share for each combination of theories, and the others are only counted. The counts
are in a file of the spool.
"""

from __future__ import annotations

import fcntl
import os
from collections import Counter as Tally
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from chcfuzz.execution.codec import CodecError, from_json, to_json
from chcfuzz.execution.files import LinkError, read_plain, write_whole
from chcfuzz.triage.examine.suspicion import Suspicion, family_of, symptom_of

FOLDER = ".suspicions"
COUNTED, FORMAT = "counted.json", "chcfuzz-counted 1"
MOST_ALIKE = 50  # suspicions of one family that wait
_MOST_ROWS, _OTHERS = 1000, "others"  # of the counts; further kinds have one row


@dataclass(frozen=True)
class Counted:
    """Numbers of suspicions that were only counted, by kind and first message, as in `crash: it dies of signal 11`."""

    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of all."""
        return sum(self.numbers.values())

    def most(self, number: int) -> list[tuple[str, int]]:
        """Return the most frequent ones with their numbers."""
        return sorted(self.numbers.items(), key=lambda row: (-row[1], row[0]))[:number]

    def with_one(self, title: str) -> Counted:
        """Return the numbers with one more."""
        row = title if title in self.numbers or len(self.numbers) < _MOST_ROWS else _OTHERS
        return Counted({**self.numbers, row: self.numbers.get(row, 0) + 1})


class Spool:
    """The suspicions that wait in a findings folder. Methods raise `OSError` if the folder cannot be written."""

    def __init__(self, findings: Path) -> None:
        self._folder = findings / FOLDER

    def put(self, suspicion: Suspicion) -> str | None:
        """Store a suspicion; return the name of one that is only counted from now on, itself or another, if any is.

        If `MOST_ALIKE` of its family wait already, it takes the place of one whose theories have more places.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        name = suspicion.name
        with self._locked():
            gone = displaced(name, self.names())
            if gone != name:
                write_whole(self._folder / name, suspicion.written(), durable=True)
            if gone is not None:
                self._count(suspicion if gone == name else self.read(gone))
                if gone != name:
                    self.remove(gone)
        return gone

    def counted(self) -> Counted:
        """Return the numbers of suspicions that were only counted; those of a damaged file are lost."""
        try:
            return from_json(read_plain(self._folder / COUNTED), Counted, FORMAT)
        except (FileNotFoundError, LinkError, CodecError):
            return Counted()

    def _count(self, suspicion: Suspicion | None) -> None:
        if suspicion is not None:
            title = f"{suspicion.kind}: {suspicion.message}".rstrip(": ")
            write_whole(self._folder / COUNTED, to_json(self.counted().with_one(title), FORMAT))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Let no other process put suspicions into the spool within the block."""
        descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def names(self) -> list[str]:
        """Return the file names of the suspicions, the gravest first."""
        return sorted(path.name for path in self._paths())

    def read(self, name: str) -> Suspicion | None:
        """Return a suspicion by its file name; None if the file is gone, damaged or a link.

        A damaged file or a link is renamed to `*.damaged`.
        """
        path = self._folder / name
        try:
            found = Suspicion.read(read_plain(path))
        except FileNotFoundError:
            return None
        except LinkError:
            found = None
        if found is None:
            path.rename(self.aside(name))
        return found

    def aside(self, name: str) -> Path:
        """Return the path of a suspicion that was found damaged, by its file name."""
        return (self._folder / name).with_suffix(".damaged")

    def path(self, name: str) -> Path:
        """Return the path of a suspicion by its file name."""
        return self._folder / name

    def remove(self, name: str) -> None:
        """Remove a suspicion whose result is stored."""
        (self._folder / name).unlink(missing_ok=True)

    def _paths(self) -> Iterator[Path]:
        return self._folder.glob("[0-9]*.json")

    def __len__(self) -> int:
        return len(self.names())

    def __iter__(self) -> Iterator[Suspicion]:
        return (found for name in self.names() if (found := self.read(name)) is not None)


def displaced(name: str, waiting: list[str]) -> str | None:
    """Return the suspicion, given by its name, that does not wait any more if one with this name is added, or None.

    It is the new one unless other theories of its family have more places than those of the new one would have.
    """
    family = [other for other in waiting if family_of(other) == family_of(name)]
    if name in family or len(family) < MOST_ALIKE:
        return None
    places = Tally(map(symptom_of, family))
    most = max(sorted(places), key=lambda symptom: places[symptom])
    if places[symptom_of(name)] + 1 >= places[most]:
        return name
    return max(other for other in family if symptom_of(other) == most)
