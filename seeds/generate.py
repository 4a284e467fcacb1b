"""Write the seeds of this project to corpus/, one system per file.

    python seeds/generate.py            write every file
    python seeds/generate.py --check    write nothing; exit with 1 if corpus/ is out of date

Systems in corpus/ without a program are reported, never removed.
"""

import argparse
import sys
from pathlib import Path

from notation import Seed
from programs import PROGRAMS

CORPUS = Path(__file__).resolve().parent.parent / "corpus"


def main() -> int:
    """Write or check all files; return the exit code."""
    parser = argparse.ArgumentParser(description="Write the seeds of this project to corpus/.")
    parser.add_argument("--check", action="store_true", help="only check whether corpus/ is up to date")
    check = parser.parse_args().check

    wanted = {CORPUS / f"{seed.name}.smt2": seed for seed in PROGRAMS}
    if len(wanted) != len(PROGRAMS):
        names = [seed.name for seed in PROGRAMS]
        sys.exit(f"two seeds have the same name: {sorted({name for name in names if names.count(name) > 1})}")
    unknown = sorted(set(CORPUS.rglob("*.smt2")) - set(wanted))
    stale = [path for path, seed in wanted.items() if not _holds(path, seed)]
    for path in unknown:
        print(f"{path} does not come from a program in seeds/programs")
    for path in stale:
        print(f"{'out of date' if check else 'wrote'}: {path}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path].text, encoding="ascii")
    print(f"{len(wanted)} seeds")
    return 1 if unknown or (check and stale) else 0


def _holds(path: Path, seed: Seed) -> bool:
    return path.is_file() and path.read_text(encoding="ascii") == seed.text


if __name__ == "__main__":
    sys.exit(main())
