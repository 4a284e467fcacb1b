"""Texts of a corpus that are no CHC system: told by the name of their file, so that a person can mend them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from chcfuzz.campaign.session import MAX_UNIT
from chcfuzz.grammar.reading import looks_like_script
from chcfuzz.mutators.recipe import digest, refusal_of

_MOST_TOLD = 10
_HEAD = 1 << 12  # bytes that show what a file is meant as


class Refusals:
    """Tells what is refused in the folders of a corpus: the first few, then that there are more."""

    def __init__(self, inputs: Sequence[Path]) -> None:
        self._inputs = inputs
        self._told = 0

    def tell(self, unit: bytes) -> bool:
        """Whether a unit looks like SMT-LIB and is no system. libFuzzer gives bytes only: its file is looked for."""
        if refusal_of(unit, "") is None:
            return False
        self._told += 1
        if self._told <= _MOST_TOLD:
            name = digest(unit)
            error = refusal_of(unit, self._files.get(name, f"unit {name}"))
            print(f"chcfuzz: a text is no CHC system, and run as mere bytes: {error}", file=sys.stderr, flush=True)
        elif self._told == _MOST_TOLD + 1:
            print("chcfuzz: more texts are no CHC system; the summary counts them", file=sys.stderr, flush=True)
        return True

    @cached_property
    def _files(self) -> dict[str, str]:
        """The files that look like SMT-LIB, by the name that libFuzzer gives what it reads of them."""
        return {digest(data): str(path) for path in _paths(self._inputs) if (data := _script_in(path))}


def _paths(inputs: Sequence[Path]) -> Iterator[Path]:
    for path in inputs:
        yield from sorted(path.rglob("*")) if path.is_dir() else [path]


def _script_in(path: Path) -> bytes:
    """What libFuzzer reads of a file that looks like SMT-LIB; empty for others, and those that cannot be read."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
            return head + file.read(MAX_UNIT - _HEAD) if looks_like_script(head) else b""
    except OSError:
        return b""
