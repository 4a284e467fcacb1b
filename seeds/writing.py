"""The program that writes the seeds of this project to a corpus, one file for each seed."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).resolve().parent.parent


class Seed(Protocol):
    """A seed, whose name is its path in the corpus without `.smt2`."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def text(self) -> str:
        """The content of the file."""


def main(seeds: Sequence[Seed], corpus: str, source: str) -> int:
    """Write or check all files of a corpus; return the exit code. `source` names what seeds come from."""
    parser = argparse.ArgumentParser(description=f"Write the seeds of this project to {corpus}/.")
    parser.add_argument("--check", action="store_true", help=f"only check whether {corpus}/ is up to date")
    check = parser.parse_args().check

    folder = ROOT / corpus
    wanted = {folder / f"{seed.name}.smt2": seed for seed in seeds}
    if len(wanted) != len(seeds):
        names = [seed.name for seed in seeds]
        sys.exit(f"two seeds have the same name: {sorted({name for name in names if names.count(name) > 1})}")
    unknown = sorted(set(folder.rglob("*.smt2")) - set(wanted))
    stale = [path for path, seed in wanted.items() if not _holds(path, seed)]
    for path in unknown:
        print(f"{path} does not come from {source}")
    for path in stale:
        print(f"{'out of date' if check else 'wrote'}: {path}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path].text, encoding="ascii")
    print(f"{len(wanted)} seeds")
    return 1 if unknown or (check and stale) else 0


def _holds(path: Path, seed: Seed) -> bool:
    return path.is_file() and path.read_text(encoding="ascii") == seed.text
