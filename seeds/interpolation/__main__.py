"""Write the interpolation seeds of this project to corpus-itp/, one problem per file.

    python -m seeds.interpolation            write every file
    python -m seeds.interpolation --check    write nothing; exit with 1 if corpus-itp/ is out of date

Run it in the root of the repository. Problems in corpus-itp/ that no module writes are reported, never removed.
"""

import argparse
import sys
from pathlib import Path

from seeds.interpolation.sources import ROOT, seeds
from seeds.smt.notation import Seed

CORPUS = ROOT / "corpus-itp"


def main() -> int:
    """Write or check all files; return the exit code."""
    parser = argparse.ArgumentParser(description="Write the interpolation seeds of this project to corpus-itp/.")
    parser.add_argument("--check", action="store_true", help="only check whether corpus-itp/ is up to date")
    check = parser.parse_args().check

    wanted = {CORPUS / f"{seed.name}.smt2": seed for seed in seeds()}
    unknown = sorted(set(CORPUS.rglob("*.smt2")) - set(wanted))
    stale = [path for path, seed in wanted.items() if not _holds(path, seed)]
    for path in unknown:
        print(f"{path} does not come from a module in seeds/interpolation")
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
