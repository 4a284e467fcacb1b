"""The seeds of a corpus."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping
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


def write_derived(what: str, corpus: str, folders: Iterable[str], texts: Mapping[str, str], source: str) -> int:
    """Write texts to a corpus, by the names of seeds, or with `--check` compare them; return the exit code.

    Other files of `folders` are printed, with the file `source` that lists the seeds, and never removed.
    """
    parser = argparse.ArgumentParser(description=f"Write the {what} that come from other seeds.")
    parser.add_argument("--check", action="store_true", help="only check whether the files are up to date")
    check = parser.parse_args().check

    root = ROOT / corpus
    wanted = {root / f"{name}.smt2": text for name, text in texts.items()}
    unknown = {path for folder in folders for path in (root / folder).rglob("*.smt2")} - set(wanted)
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="ascii") != text]
    for path in sorted(unknown):
        print(f"{path} does not come from {source}")
    for path in stale:
        print(f"{'out of date' if check else 'wrote'}: {path}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="ascii")
    print(f"{len(wanted)} seeds")
    return 1 if unknown or (check and stale) else 0
