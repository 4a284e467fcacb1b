"""Write the questions that come from other seeds to corpus-parts/, one problem per file.

    python -m seeds.parts            write every file
    python -m seeds.parts --check    write nothing; exit with 1 if a file is out of date

Files of these folders that nothing writes are reported, never removed.
"""

import argparse
import sys

from seeds.files import ROOT
from seeds.parts.sources import FOLDERS, derived

CORPUS = ROOT / "corpus-parts"


def main() -> int:
    """Write or check all files; return the exit code."""
    parser = argparse.ArgumentParser(description="Write the questions that come from other seeds.")
    parser.add_argument("--check", action="store_true", help="only check whether the files are up to date")
    check = parser.parse_args().check

    wanted = {CORPUS / f"{seed.name}.smt2": seed.text for seed in derived()}
    unknown = {path for folder in FOLDERS for path in (CORPUS / folder).rglob("*.smt2")} - set(wanted)
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="ascii") != text]
    for path in sorted(unknown):
        print(f"{path} does not come from seeds.parts/sources.py")
    for path in stale:
        print(f"{'out of date' if check else 'wrote'}: {path}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="ascii")
    print(f"{len(wanted)} seeds")
    return 1 if unknown or (check and stale) else 0


if __name__ == "__main__":
    sys.exit(main())
