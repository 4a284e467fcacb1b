"""Write the seeds of this project for SMT solvers to corpus-smt/, one problem per file.

    python -m seeds.smt            write every file
    python -m seeds.smt --check    write nothing; exit with 1 if corpus-smt/ is out of date

Run it in the root of the repository. Problems in corpus-smt/ that no module writes are reported, never removed.
"""

import argparse
import sys
from pathlib import Path

from seeds.smt.notation import Seed
from seeds.smt.problems import SEEDS

CORPUS = Path(__file__).resolve().parents[2] / "corpus-smt"


def main() -> int:
    """Write or check all files; return the exit code."""
    parser = argparse.ArgumentParser(description="Write the SMT seeds of this project to corpus-smt/.")
    parser.add_argument("--check", action="store_true", help="only check whether corpus-smt/ is up to date")
    check = parser.parse_args().check

    wanted = {CORPUS / f"{seed.name}.smt2": seed for seed in SEEDS}
    if len(wanted) != len(SEEDS):
        names = [seed.name for seed in SEEDS]
        sys.exit(f"two seeds have the same name: {sorted({name for name in names if names.count(name) > 1})}")
    unknown = sorted(set(CORPUS.rglob("*.smt2")) - set(wanted))
    stale = [path for path, seed in wanted.items() if not _holds(path, seed)]
    for path in unknown:
        print(f"{path} does not come from a module in seeds/smt/problems")
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
