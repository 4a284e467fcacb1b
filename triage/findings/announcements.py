"""Lines that the confirmation queue prints on its results."""

from __future__ import annotations

from collections import Counter as Tally
from pathlib import Path

from chcfuzz.execution.console import print_error
from chcfuzz.grammar.printable import printable

_MOST_PRINTED = 3  # results with the same kind and parameters


class Announcements:
    """Prints a line on each result; while `is_brief`, only the first of a signature and some of a probable cause."""

    def __init__(self) -> None:
        self.is_brief = False
        self._printed: set[str] = set()  # signatures
        self._causes: Tally[tuple[str, ...]] = Tally()

    def print_result(self, signature: str, cause: tuple[str, ...], text: str, place: Path) -> None:
        """Print a line on a result in `place`, unless it is like those that were printed."""
        if self.is_brief and (signature in self._printed or self._causes[cause] >= _MOST_PRINTED):
            return
        self._printed.add(signature)
        self._causes[cause] += 1
        last = self.is_brief and self._causes[cause] == _MOST_PRINTED
        self.print_line(f"{text}: {place}{'; further ones like it are only counted' if last else ''}")

    @staticmethod
    def print_line(text: str) -> None:
        """Print a line to the standard error."""
        print_error(f"chcfuzz: {printable(text)}")
