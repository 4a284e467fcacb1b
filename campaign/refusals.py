"""Files of a corpus that are not what they begin as: told by name, so that a person can mend them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from chcfuzz.campaign.in_flight import MAX_UNIT
from chcfuzz.grammar.reading import looks_like_script
from chcfuzz.mutators.envelope import is_sealed
from chcfuzz.mutators.recipe import digest, refusal_of

_MOST_TOLD = 10
_HEAD = 1 << 12  # bytes that show what a file is meant as


class Refusals:
    """Tells what is refused in the folders of a corpus: the first few, then that there are more."""

    def __init__(self, inputs: Sequence[Path]) -> None:
        self._inputs = inputs
        self._told = 0

    def tell(self, unit: bytes, fault: str) -> None:
        """Tell that a unit is not what it begins as. libFuzzer gives bytes only: its file is looked for."""
        self._told += 1
        if self._told <= _MOST_TOLD:
            name = digest(unit)
            path = self._files.get(name, f"unit {name}")
            print(f"chcfuzz: left out: {refusal_of(unit, path) or f'{path} {fault}'}", file=sys.stderr, flush=True)
        elif self._told == _MOST_TOLD + 1:
            print("chcfuzz: more units are left out; the summary counts them", file=sys.stderr, flush=True)

    @cached_property
    def _files(self) -> dict[str, str]:
        """The files that are meant as texts or recipes, by the name that libFuzzer gives what it reads of them."""
        return {digest(data): str(path) for path in _paths(self._inputs) if (data := _unit_in(path))}


def _paths(inputs: Sequence[Path]) -> Iterator[Path]:
    for path in inputs:
        yield from sorted(path.rglob("*")) if path.is_dir() else [path]


def _unit_in(path: Path) -> bytes:
    """What libFuzzer reads of a file that is meant as a text or a recipe; empty for all else."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
            return head + file.read(MAX_UNIT - _HEAD) if is_sealed(head) or looks_like_script(head) else b""
    except OSError:
        return b""
