"""The results of examined suspicions, so that a campaign knows which suspicious units it must execute again.

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
from chcfuzz.triage.findings.store import UNCONFIRMED, FindingStore

FILE = ".results"


@dataclass(frozen=True)
class Result:
    """The result of an examination: its place (`Results.add`), and the folder of the finding, if it is one."""

    place: str = ""
    folder: Path | None = None


class Results:
    """The file of results in a findings folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / FILE

    def add(self, suspicion: str, place: str) -> None:
        """Note the result of a suspicion; raises `OSError`.

        `place` names a finding, a signature that has enough findings, or a file in `unconfirmed`. It is empty if the
        examination wrote nothing.
        """
        append_line(self._file, f"{suspicion}\t{place}")

    def lost(self, suspicions: Iterable[str]) -> set[str]:
        """Return the suspicions that neither wait nor have a result that is still there."""
        waiting = set(Spool(self._folder).names())  # first: a suspicion leaves the spool after it has a result
        places = self._read()
        there = {"", *FindingStore(self._folder, 0).names_and_signatures(), *self._unconfirmed()}
        return {name for name in suspicions if name not in waiting and places.get(name) not in there}

    def ensure_plain(self) -> None:
        """Raise `LinkError` for a folder or a link in the place of the file."""
        self._read()

    def _read(self) -> dict[str, str]:
        return {name: place for name, _, place in (line.partition("\t") for line in read_lines(self._file))}

    def _unconfirmed(self) -> set[str]:
        return {f"{UNCONFIRMED}/{path.name}" for path in (self._folder / UNCONFIRMED).glob("*")}
