"""The suspicions of a findings folder: those that wait in the spool, and the results of those that were examined.

Any process may add suspicions; one process examines them. A result is noted before its suspicion leaves the spool, so
that a suspicion is never lost between the two.
"""

from __future__ import annotations

from pathlib import Path

from chcfuzz.triage.examine.spool import Spool
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.results import Result, Results
from chcfuzz.triage.findings.store import FindingsError


class Suspicions:
    """Adds suspicions and settles them; each method raises `FindingsError` if the folder cannot be written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.spool = Spool(folder)
        self._results = Results(folder)

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
            self._results.add(name, result.place)
        except OSError as error:
            raise FindingsError(self._folder, error) from error
