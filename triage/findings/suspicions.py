"""The suspicions of a findings folder: those that wait in the spool, and the results of those that were examined.

Any process may add suspicions; one process examines them. A result is noted before its suspicion leaves the spool, so
that a suspicion is never lost between the two.

A campaign does not execute a unit whose outcome is cached. For a suspicious unit, this is correct only as long as its
suspicion waits in the spool, or what the examination wrote is still there. The file `.results` has a signed line
(`execution.signed_lines`) for each examined suspicion: its name and the place of its result. A lost line, or one of
somebody else, only costs another execution; an unsigned line could claim that a suspicion was examined.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.execution.signed_lines import append_line, read_lines
from chcfuzz.triage.examine.spool import Spool
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.store import UNCONFIRMED, FindingsError, FindingStore

RESULTS = ".results"


@dataclass(frozen=True)
class Result:
    """The result of an examination: its place, and the folder of the finding, if it is one.

    The place is the name of a finding, of a signature that has enough findings, or of a file in `unconfirmed`. It is
    empty if the examination wrote nothing.
    """

    place: str = ""
    folder: Path | None = None


class Suspicions:
    """Adds suspicions and settles them; these methods raise `FindingsError` if the folder cannot be written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.spool = Spool(folder)

    def add(self, suspicion: Suspicion) -> bool:
        """Store a suspicion; False if too many similar ones wait (`Spool.put`).

        Nothing is written about one that is only counted, and this is noted as its result.
        """
        try:
            gone = self.spool.put(suspicion)
        except OSError as error:
            raise FindingsError(self._folder, error) from error
        if gone is not None:
            self.note(gone, Result())
        return gone != suspicion.name

    def settle(self, name: str, result: Result) -> None:
        """Note the result of a suspicion, given by its name, and remove it from the spool."""
        self.note(name, result)
        self.spool.remove(name)

    def note(self, name: str, result: Result) -> None:
        """Note the place of the written result of the suspicion with this name."""
        try:
            append_line(self._folder / RESULTS, f"{name}\t{result.place}")
        except OSError as error:
            raise FindingsError(self._folder, error) from error

    def lost(self, names: Iterable[str]) -> set[str]:
        """Return the suspicions that neither wait nor have a result that is still there, among those with these names.

        Raises `LinkError` for a folder or a link in the place of the file of results.
        """
        waiting = set(self.spool.names())  # first: a suspicion leaves the spool after it has a result
        places = self._places()
        there = {"", *FindingStore(self._folder, 0).names_and_signatures(), *self._unconfirmed()}
        return {name for name in names if name not in waiting and places.get(name) not in there}

    def ensure_plain(self) -> None:
        """Raise `LinkError` for a folder or a link in the place of the file of results."""
        self._places()

    def _places(self) -> dict[str, str]:
        lines = (line.partition("\t") for line in read_lines(self._folder / RESULTS))
        return {name: place for name, _, place in lines}

    def _unconfirmed(self) -> set[str]:
        return {f"{UNCONFIRMED}/{path.name}" for path in (self._folder / UNCONFIRMED).glob("*")}
