"""The seeds of a corpus."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Seed:
    """A seed: `name` is its path in its corpus without the suffix, `text` the contents of the file."""

    name: str
    status: str
    text: str


def seeds_of(corpus: str) -> tuple[Seed, ...]:
    """Return the seeds of a folder in the root of the repository, by name."""
    folder = ROOT / corpus
    files = {path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.smt2")}
    return tuple(_seed(name, path.read_text(encoding="ascii")) for name, path in sorted(files.items()))


def _seed(name: str, text: str) -> Seed:
    status = re.search(r"\(set-info :status (sat|unsat)\)", text)
    if status is None:
        raise SystemExit(f"{name} has no :status: add (set-info :status sat) or unsat")
    return Seed(name, status[1], text)
