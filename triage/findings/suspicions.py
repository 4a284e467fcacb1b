"""The suspicions of a findings folder: those that wait, and the results of those that were examined.

Any process may add suspicions; one process examines them. The folder `.suspicions` has those that wait, also from
earlier campaigns. A frequent bug must not fill the disk and the queue: at most `MOST_ALIKE` suspicions of a family of
symptoms wait, an even share for each combination of theories, and the others are only counted, in a file of the folder.

A result is noted before its suspicion is removed, so that a suspicion is never lost between the two.

A campaign does not execute a unit whose outcome is cached. For a suspicious unit, this is correct only as long as its
suspicion waits, or what the examination wrote is still there. The file `.results` has a signed line
(`execution.signed_lines`) for each examined suspicion: its name and the place of its result. A lost line, or one of
somebody else, only costs another execution; an unsigned line could claim that a suspicion was examined.
"""

from __future__ import annotations

import fcntl
import os
from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from chcfuzz.execution.codec import CodecError, from_json, to_json
from chcfuzz.execution.files import LinkError, read_plain, write_whole
from chcfuzz.execution.signed_lines import append_line, read_lines
from chcfuzz.triage.examine.suspicion import Suspicion, family_of, symptom_of
from chcfuzz.triage.findings.store import UNCONFIRMED, FindingsError, FindingStore

FOLDER, RESULTS = ".suspicions", ".results"
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


@dataclass(frozen=True)
class Result:
    """The result of an examination: its place, and the folder of the finding, if it is one.

    The place is the name of a finding, of a signature that has enough findings, or of a file in `unconfirmed`. It is
    empty if the examination wrote nothing.
    """

    place: str = ""
    folder: Path | None = None


class Suspicions:
    """The suspicions that wait in a findings folder, by the names of their files, and the results of the others.

    `add`, `settle` and `note` raise `FindingsError` if the folder cannot be written.
    """

    def __init__(self, findings: Path) -> None:
        self._findings = findings
        self._folder = findings / FOLDER

    def add(self, suspicion: Suspicion) -> bool:
        """Store a suspicion; return False if it is only counted.

        If `MOST_ALIKE` of its family wait already, it takes the place of one whose theories have more places; else it
        is counted. Nothing is written about the one that is only counted, and this is noted as its result.
        """
        try:
            gone = self._put(suspicion)
        except OSError as error:
            raise FindingsError(self._findings, error) from error
        if gone is not None:
            self.note(gone, Result())
        return gone != suspicion.name

    def _put(self, suspicion: Suspicion) -> str | None:
        """Store a suspicion; return the name of one that is only counted from now on, itself or another, if any is."""
        self._folder.mkdir(parents=True, exist_ok=True)
        name = suspicion.name
        with self._locked():
            gone = displaced(name, self.names())
            if gone != name:
                write_whole(self.path(name), suspicion.written(), durable=True)
            if gone is not None:
                self._count(suspicion if gone == name else self.read(gone))
                if gone != name:
                    self._remove(gone)
        return gone

    def settle(self, name: str, result: Result) -> None:
        """Note the result of a suspicion, given by its name, and remove it."""
        self.note(name, result)
        self._remove(name)

    def note(self, name: str, result: Result) -> None:
        """Note the place of the written result of the suspicion with this name."""
        try:
            append_line(self._findings / RESULTS, f"{name}\t{result.place}")
        except OSError as error:
            raise FindingsError(self._findings, error) from error

    def lost(self, names: Iterable[str]) -> set[str]:
        """Return the suspicions that neither wait nor have a result that is still there, among those with these names.

        Raises `LinkError` for a folder or a link in the place of the file of results.
        """
        waiting = set(self.names())  # first: a suspicion is removed after it has a result
        places = self._places()
        there = {"", *FindingStore(self._findings, 0).names_and_signatures(), *self._unconfirmed()}
        return {name for name in names if name not in waiting and places.get(name) not in there}

    def ensure_plain(self) -> None:
        """Raise `LinkError` for a folder or a link in the place of the file of results."""
        self._places()

    def counted(self) -> Counted:
        """Return the numbers of suspicions that were only counted; those of a damaged file are lost."""
        try:
            return from_json(read_plain(self.path(COUNTED)), Counted, FORMAT)
        except (FileNotFoundError, LinkError, CodecError):
            return Counted()

    def names(self) -> list[str]:
        """Return the names of the suspicions that wait, the gravest first."""
        return sorted(path.name for path in self._folder.glob("[0-9]*.json"))

    def read(self, name: str) -> Suspicion | None:
        """Return a suspicion; None if its file is gone, damaged or a link.

        A damaged file or a link is renamed to `*.damaged`.
        """
        path = self.path(name)
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
        """Return the path of a suspicion that was found damaged."""
        return self.path(name).with_suffix(".damaged")

    def path(self, name: str) -> Path:
        """Return the path of a suspicion."""
        return self._folder / name

    def __len__(self) -> int:
        return len(self.names())

    def __iter__(self) -> Iterator[Suspicion]:
        return (found for name in self.names() if (found := self.read(name)) is not None)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Let no other process add suspicions within the block."""
        descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _count(self, suspicion: Suspicion | None) -> None:
        if suspicion is not None:
            title = f"{suspicion.kind}: {suspicion.message}".rstrip(": ")
            write_whole(self.path(COUNTED), to_json(self.counted().with_one(title), FORMAT))

    def _remove(self, name: str) -> None:
        self.path(name).unlink(missing_ok=True)

    def _places(self) -> dict[str, str]:
        lines = (line.partition("\t") for line in read_lines(self._findings / RESULTS))
        return {name: place for name, _, place in lines}

    def _unconfirmed(self) -> set[str]:
        return {f"{UNCONFIRMED}/{path.name}" for path in (self._findings / UNCONFIRMED).glob("*")}


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
