"""Messages about files of a corpus that are rejected: text that does not state a CHC system, and damaged recipes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from chcfuzz.campaign.session.in_flight import MAX_UNIT
from chcfuzz.execution.console import print_error
from chcfuzz.grammar.reading.decoding import looks_like_script
from chcfuzz.mutators.envelope import is_sealed
from chcfuzz.mutators.recipe import digest, refusal_of

_MOST_PRINTED = 10
_HEAD = 1 << 12  # bytes that show whether a file is text, a recipe or neither


class Rejections:
    """Prints the names of the first rejected units of a corpus, and then that there are more."""

    def __init__(self, inputs: Sequence[Path]) -> None:
        self._inputs = inputs
        self._number = 0

    def print(self, unit: bytes, fault: str) -> None:
        """Print why a unit is rejected. libFuzzer passes bytes only, so its file is searched for."""
        self._number += 1
        if self._number <= _MOST_PRINTED:
            name = digest(unit)
            path = self._files.get(name, f"unit {name}")
            print_error(f"chcfuzz: left out: {refusal_of(unit, path) or f'{path} {fault}'}")
        elif self._number == _MOST_PRINTED + 1:
            print_error("chcfuzz: more units are left out; the summary counts them")

    @cached_property
    def _files(self) -> dict[str, str]:
        """The files that look like text or recipes, by the name that libFuzzer gives their content."""
        return {digest(data): str(path) for path in _paths(self._inputs) if (data := _unit_in(path))}


def _paths(inputs: Sequence[Path]) -> Iterator[Path]:
    for path in (path.resolve() if path.is_symlink() else path for path in inputs):
        yield from sorted(path.rglob("*")) if path.is_dir() else [path]


def _unit_in(path: Path) -> bytes:
    """Return the bytes that libFuzzer reads of a file that looks like text or a recipe, else no bytes."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
            return head + file.read(MAX_UNIT - _HEAD) if is_sealed(head) or looks_like_script(head) else b""
    except OSError:
        return b""
