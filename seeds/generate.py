"""Writes the seeds of this project to corpus/, one system a file.

    python seeds/generate.py            writes every file
    python seeds/generate.py --check    writes nothing; exit code 1 where corpus/ is not what would be written

A system in corpus/ that no program stands for is reported, never removed.
"""

import argparse
import sys
from pathlib import Path

from notation import Seed
from programs import PROGRAMS

CORPUS = Path(__file__).resolve().parent.parent / "corpus"


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes the seeds of this project to corpus/.")
    parser.add_argument("--check", action="store_true", help="only say whether corpus/ is up to date")
    check = parser.parse_args().check

    wanted = {CORPUS / f"{seed.name}.smt2": seed for seed in PROGRAMS}
    if len(wanted) != len(PROGRAMS):
        names = [seed.name for seed in PROGRAMS]
        sys.exit(f"two seeds have one name: {sorted({name for name in names if names.count(name) > 1})}")
    strangers = sorted(set(CORPUS.rglob("*.smt2")) - set(wanted))
    stale = [path for path, seed in wanted.items() if not _holds(path, seed)]
    for path in strangers:
        print(f"no program stands for {path}")
    for path in stale:
        print(f"{'out of date' if check else 'wrote'}: {path}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path].text, encoding="ascii")
    print(f"{len(wanted)} seeds")
    return 1 if strangers or (check and stale) else 0


def _holds(path: Path, seed: Seed) -> bool:
    return path.is_file() and path.read_text(encoding="ascii") == seed.text


if __name__ == "__main__":
    sys.exit(main())
