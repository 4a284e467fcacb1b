"""Compare the lines of Z3 that `chcfuzz coverage` reports as reached with those of llvm-cov, on the same units.

python -m bench.power.llvm_coverage    # corpus/; needs the profiles trace and coverage of one version of Z3
python -m bench.power.llvm_coverage corpus/queries --under src/muz/spacer --json FILE

"Ours" are the lines that chcfuzz computes from edge counters. Measured on Z3 5.4.0 with all of corpus/, in
src/muz/spacer: both sides agree on 93 % of the lines that both measure (agreement), 95 % of the lines that we report
as reached were executed (confirmed), and we report 84 % of the executed lines that we measure (found). The differences
come from the optimizer, which moves code, merges equal code and omits counters that others imply. llvm-cov maps every
line inside a function, including lines without code such as comments, braces and second lines of expressions: we report
47 % of all its executed lines (reported). `TOLERANCE` holds the minimum shares.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from argparse import SUPPRESS
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from chcfuzz.execution.solving import LIBRARY_VARIABLE, Solving
from chcfuzz.mutators.recipe import decode
from chcfuzz.tracing.llvm import tool

from bench.campaigns import CORPUS, parser, print_table, write_json

# Minimum shares for src/muz/spacer.
TOLERANCE = {"agreement": 0.9, "confirmed": 0.9, "found": 0.8, "reported": 0.4}
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chcfuzz" / "z3-traced"
Lines = Mapping[str, set[int]]


@dataclass(frozen=True)
class Compared:
    """Numbers of lines. `ours` and `theirs` are measured by each side, `_run` are those that it reports as executed."""

    ours: int
    ours_run: int
    theirs: int
    theirs_run: int
    both: int  # measured by both sides
    agreed: int  # measured by both sides with the same result
    both_run: int
    both_theirs_run: int  # measured by both sides, and executed according to llvm-cov

    @property
    def agreement(self) -> float:
        """Share of the lines measured by both sides that have the same result."""
        return self.agreed / self.both if self.both else 1.0

    @property
    def confirmed(self) -> float:
        """Share of the lines reported as executed that were executed."""
        return self.both_run / self.ours_run if self.ours_run else 1.0

    @property
    def found(self) -> float:
        """Share of the executed lines that we measure and report as executed, among those that we measure."""
        return self.both_run / self.both_theirs_run if self.both_theirs_run else 1.0

    @property
    def reported(self) -> float:
        """Share of all executed lines that we report as executed."""
        return self.both_run / self.theirs_run if self.theirs_run else 1.0

    @property
    def shares(self) -> dict[str, float]:
        """All shares by name."""
        return {name: getattr(self, name) for name in TOLERANCE}


def compared(ours: Lines, ours_run: Lines, theirs: Lines, theirs_run: Lines) -> Compared:
    """Count the lines of all files of either side."""
    total = [0] * 8
    for file in {*ours, *theirs}:
        mine, mine_run = ours.get(file, set()), ours_run.get(file, set())
        other, other_run = theirs.get(file, set()), theirs_run.get(file, set())
        both = mine & other
        agreed = both - (mine_run ^ other_run)
        sets = (mine, mine_run, other, other_run, both, agreed, mine_run & other_run, mine & other_run)
        total = [number + len(lines) for number, lines in zip(total, sets, strict=True)]
    return Compared(*total)


def below(lines: Iterable[tuple[str, set[int]]], under: str) -> dict[str, set[int]]:
    """Return the files below a folder of Z3's sources, by their paths relative to it."""
    return {file.partition(f"/{under}/")[2]: found for file, found in lines if f"/{under}/" in file}


def of_edges(corpora: Sequence[Path], build: Path, under: str) -> tuple[Lines, Lines]:
    """Return the lines that chcfuzz measures, and those that it reports as reached."""
    solving = Solving(z3_library=build)
    solving.activate()
    from chcfuzz.corpus_tools.coverage import measured  # needs the Z3 that was just chosen

    found = measured(corpora, solving).solver
    return below(found.lines().items(), under), below(found.lines(reached_only=True).items(), under)


def of_llvm_cov(corpora: Sequence[Path], build: Path, under: str) -> tuple[Lines, Lines]:
    """Return the lines that llvm-cov maps, and those that it counts as executed, in a process with the other build."""
    source = Path(_build_info(build)["source"]) / under
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as name:
        raw, merged = Path(name) / "raw", Path(name) / "merged"
        command = [sys.executable, "-m", "bench.power.llvm_coverage", "--replay-in", str(build), *map(str, corpora)]
        subprocess.run(command, env={**os.environ, "LLVM_PROFILE_FILE": str(raw)}, check=True)
        subprocess.run([tool("llvm-profdata"), "merge", "--sparse", str(raw), "-o", str(merged)], check=True)
        export = [tool("llvm-cov"), "export", "--format=lcov", f"--instr-profile={merged}"]
        export += [str(build / "lib" / "libz3.so"), str(source)]
        report = subprocess.run(export, stdout=subprocess.PIPE, text=True, check=True).stdout
    mapped: dict[str, set[int]] = {}
    run: dict[str, set[int]] = {}
    for line in report.splitlines():
        kind, _, rest = line.partition(":")
        if kind == "SF":
            file = rest
            mapped[file], run[file] = set(), set()
        elif kind == "DA":
            number, count = rest.split(",")[:2]
            mapped[file].add(int(number))
            if int(count):
                run[file].add(int(number))
    return below(mapped.items(), under), below(run.items(), under)


def replay(corpora: Sequence[Path], build: Path) -> None:
    """Execute every unit as `chcfuzz coverage` does; the library writes its counters when the process exits."""
    solving = Solving(z3_library=build)
    solving.activate()
    from chcfuzz.execution.pipeline import Pipeline

    pipeline = Pipeline(solving)
    for unit in _units(corpora):
        pipeline.execute(pipeline.mutant(decode(unit.read_bytes())))


def _units(corpora: Sequence[Path]) -> list[Path]:
    files = [file for path in corpora for file in ([path] if path.is_file() else sorted(path.rglob("*")))]
    return [file for file in files if file.is_file()]


def _build_info(build: Path) -> dict[str, str]:
    try:
        return dict(line.partition("=")[::2] for line in (build / "BUILD_INFO").read_text().splitlines())
    except OSError as error:
        raise SystemExit(f"no build in {str(build)!r}: {error.strerror}; make one with ./build_z3_traced.sh") from None


def main() -> None:
    """Print a row for each file and one for all; exit with 1 if a share of all files is below its minimum."""
    version = metadata.version("z3-solver")
    flags = parser(__doc__)
    flags.add_argument("corpora", nargs="*", type=Path, metavar="CORPUS", help="folders of units, or units")
    named = os.environ.get(LIBRARY_VARIABLE)
    flags.add_argument("--z3-library", type=Path, default=named or _CACHE / f"{version}-trace", metavar="DIR")
    flags.add_argument("--coverage-build", type=Path, default=_CACHE / f"{version}-coverage", metavar="DIR")
    flags.add_argument(
        "--under", default="src/muz/spacer", metavar="FOLDER", help="folder of Z3's sources (default: %(default)s)"
    )
    flags.add_argument("--replay-in", type=Path, help=SUPPRESS)
    given = flags.parse_args()
    corpora = given.corpora or [CORPUS]
    if given.replay_in:
        replay(corpora, given.replay_in)
        return
    _build_info(given.z3_library)
    theirs, theirs_run = of_llvm_cov(corpora, given.coverage_build, given.under)
    ours, ours_run = of_edges(corpora, given.z3_library, given.under)
    rows: list[list[object]] = [["file", "our lines", "llvm-cov's", "both", *TOLERANCE]]
    counted = {}
    for file in (*sorted({*ours, *theirs}), ""):
        sides = (ours, ours_run, theirs, theirs_run)
        found = compared(*(side if not file else {file: side.get(file, set())} for side in sides))
        counted[file or "all"] = {**vars(found), **found.shares}
        shares = (f"{share:.3f}" for share in found.shares.values())
        rows.append([file or "all", *map(str, (found.ours, found.theirs, found.both)), *shares])
    print_table(rows)
    write_json(given.json, counted)
    for name, least in TOLERANCE.items():
        if counted["all"][name] < least:
            sys.exit(f"{name} is {counted['all'][name]:.3f}, below the minimum {least}")


if __name__ == "__main__":
    main()
