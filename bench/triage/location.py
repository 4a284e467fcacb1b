"""Measure how often `chcfuzz locate` names the function that a tried fix changes, beside chance.

python -m bench.triage.location findings --source ~/.cache/chcfuzz/z3-traced/source/5.4.0.0-46b7a325

Reads findings with a location (`chcfuzz locate`) of a traced build, and a fix that cures their bucket (`chcfuzz
try-fix`). The functions that contain the changed lines are the truth. The rank of a finding is the place of the first
of them in its list of suspicious places. Chance is a list of functions in random order, of the folders of Z3 whose
edges the traced build counts (`--profile`). The result only depends on the findings: the script does not run a solver.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from chcfuzz.triage.findings.fix import PATCH, read_fix
from chcfuzz.triage.findings.record import Finding
from chcfuzz.triage.findings.store import findings_in

from bench.campaigns import ROOT

TOPS = (1, 5, 10)
ALLOWLISTS = {"trace": "edges.allowlist", "locate": "located.allowlist"}
_FUNCTION = re.compile(r"^(?: {4})?[\w:<>*&~ ]*?\b(\w+::(?:operator\(\)|~?\w+))\(")
_FOLDER = re.compile(r"^src:\*/src/(\S+)/\*$", re.MULTILINE)
_FILE, _HUNK = re.compile(r"^\+\+\+ b/(\S+)"), re.compile(r"^@@ -(\d+)")


def changed_lines(patch: str) -> Iterator[tuple[str, int]]:
    """Yield the file and the old number of each removed line, and of the line before each added one."""
    file, number = "", 0
    for line in patch.splitlines():
        if found := _FILE.match(line):
            file = found[1]
        elif found := _HUNK.match(line):
            number = int(found[1])
        elif line.startswith("-") and not line.startswith("---"):
            yield file, number
            number += 1
        elif line.startswith("+"):
            yield file, number - 1
        else:
            number += 1


def functions_at(patch: str, source: Path) -> set[str]:
    """Return the functions that contain the changed lines, as class::function."""
    found = set()
    for file, number in changed_lines(patch):
        lines = (source / file).read_text().splitlines()[:number]
        names = [match[1] for line in lines if (match := _FUNCTION.match(line))]
        found.update(names[-1:])
    return found


def rank(places: Sequence[str], functions: set[str]) -> int | None:
    """Return the place, from 1, of the first suspicious place in one of the functions."""
    hits = (number for number, place in enumerate(places, 1) if any(name in place for name in functions))
    return next(hits, None)


def number_of_functions(source: Path, profile: str) -> int:
    """Return the number of functions in Z3's folders whose edges a traced build of this profile counts."""
    folders = _FOLDER.findall((ROOT / "tracing" / "native" / ALLOWLISTS[profile]).read_text())
    files = [path for folder in folders for path in sorted((source / "src" / folder).rglob("*.cpp"))]
    return sum(1 for path in files for line in path.read_text().splitlines() if _FUNCTION.match(line))


def measured(finding: Finding, source: Path) -> tuple[set[str], int | None] | None:
    """Return the truth and the rank of a finding; None if it lacks a location of a traced build or a fix."""
    location, fix = finding.location, read_fix(finding.folder)
    if location is None or not location.sites or fix is None or not fix.cures_all:
        return None
    functions = functions_at((finding.folder / PATCH).read_text(), source)
    return functions, rank([site.where for site in location.sites], functions)


def main() -> None:
    """Print the rank of each finding, and the shares of findings among the first places."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("findings", type=Path)
    flags.add_argument("--source", type=Path, required=True, help="the sources that the fixes were made for")
    flags.add_argument("--profile", choices=ALLOWLISTS, default="locate", help="the profile of the traced build")
    given = flags.parse_args()
    ranks = []
    for finding in findings_in(given.findings):
        result = measured(finding, given.source)
        if result is not None:
            functions, place = result
            ranks.append(place)
            print(f"{finding.folder.name}: rank {place or 'none'}, fixed in {', '.join(sorted(functions))}")
    total = number_of_functions(given.source, given.profile)
    for top in TOPS:
        hits = sum(place is not None and place <= top for place in ranks)
        print(f"top {top}: {hits} of {len(ranks)}, by chance {len(ranks) * top / total:.2f}")


if __name__ == "__main__":
    main()
