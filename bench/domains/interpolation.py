"""Count the outcomes of interpolating solvers on a set of problems, as the table of CSIsat with quantifiers does.

python -m bench.domains.interpolation  # corpus-itp/, with Spacer and Bitwuzla
python -m bench.domains.interpolation --splits 2000 --unrollings 2000  # of corpus-smt/ and corpus/ too
python -m bench.domains.interpolation --splits 2000 --every 10  # a sample of them
python -m bench.domains.interpolation --splits 2000 --records FILE --minutes 10  # a part; again to continue
python -m bench.domains.interpolation --curves --seconds 10  # paths of C programs by size
python -m bench.domains.interpolation corpus-itp/paths --solver spacer --solver "java -cp smtinterpol.jar CLASS -q"

Splits distribute the conjuncts of unsatisfiable problems over groups; unrollings are those of satisfiable systems. All
are different, and the draws depend on the number of the draw alone. Below the table, each solver has the classes of its
refusals. `--records` appends each outcome to a file, and prints the table of all outcomes in it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.domains.interpolation.solvers.interpolating_command import CommandInterpolator
from chcfuzz.domains.interpolation.solvers.interpolating_engines import commands, is_command
from chcfuzz.domains.interpolation.solvers.interpolating_engines import names as names_of
from chcfuzz.domains.interpolation.solvers.selection import selected
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.domains.smt.solvers.isolation import Isolated
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.interpolation.splitting import split
from chcfuzz.grammar.interpolation.unrolling import from_system
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.terms import FALSE, TRUE, Term
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.command_trace import error_class
from chcfuzz.solvers.outcome import Outcome, Status, texts_of
from chcfuzz.solvers.watchdog import Watchdog

from bench.domains.interpolation_curves import curves
from bench.domains.interpolation_records import Record, Records, tables, trivial

if TYPE_CHECKING:  # Z3 is selected before its import
    from chcfuzz.domains.interpolation.oracles.interpolant import Checker

ROOT = Path(__file__).resolve().parents[2]
ROWS = (
    "without quantifiers",
    "with quantifiers",
    "only true",
    "only false",
    "satisfiable",
    "unknown",
    "time",
    "memory",
    "not supported",
    "error",
    "wrong",
)
_DEPTHS = range(1, 17)  # of unrollings, in turn
_MOST_NODES = 20_000
_STATUS = {
    Status.SAT: "satisfiable",
    Status.UNKNOWN: "unknown",
    Status.LIMIT: "time",
    Status.HANG: "time",
    Status.UNSUPPORTED: "not supported",
    Status.ERROR: "error",
    Status.CRASH: "error",
}


def row_of(problem: Interpolation, outcome: Outcome, checker: Checker) -> str:
    """Return the row of an outcome; an interpolant that is not read counts as an error, a wrong one as wrong."""
    from chcfuzz.domains.interpolation.oracles.interpolant import read as read_interpolant

    if outcome.status is not Status.UNSAT:
        return "memory" if outcome.reason == "out of memory" else _STATUS[outcome.status]
    if checker.check(problem, outcome).kind.is_finding:
        return "wrong"
    terms = [read_interpolant(problem, cut, text) for cut, text in enumerate(texts_of(outcome))]
    read_terms = [each for each in terms if isinstance(each, Term)]
    if len(read_terms) < len(terms):
        return "error"
    if all(each is TRUE for each in read_terms):
        return "only true"
    if all(each is FALSE for each in read_terms):
        return "only false"
    return "with quantifiers" if any(each.depth for each in read_terms) else "without quantifiers"


def splits(folder: Path) -> Iterator[Interpolation]:
    """Yield splits of the unsatisfiable problems of a folder, round after round."""
    stated = [parse.problem(path.read_text(), path.name) for path in sorted(folder.rglob("*.smt2"))]
    unsat = [problem for problem in stated if problem.status == "unsat"]
    for number in count():
        found = split(unsat[number % len(unsat)], Choices(b"", number.to_bytes(4)))
        if found is not None:
            yield found


def unrollings(folder: Path) -> Iterator[Interpolation]:
    """Yield unrollings of the satisfiable systems of a folder at several depths."""
    for depth in _DEPTHS:
        for path in sorted(folder.rglob("*.smt2")):
            try:
                system = parse.parse(path.read_text(), path.name)
                found = from_system(system, depth) if system.status == "sat" else None
            except ChcfuzzError:
                continue  # too large, or no system
            if found is not None and found.cuts and found.nodes < _MOST_NODES:
                yield found


def problems(given: argparse.Namespace) -> dict[str, dict[int, Interpolation]]:
    """Return the problems by their origin and number."""
    paths = [path for folder in given.folders for path in sorted(folder.rglob("*.smt2"))]
    origins: dict[str, Iterable[Interpolation]] = {
        "files": (read(path.read_text(), path.name) for path in paths[: given.limit]),
        "splits": islice(different(splits(ROOT / "corpus-smt")), given.splits),
        "unrollings": islice(different(unrollings(ROOT / "corpus")), given.unrollings),
    }
    found = {origin: dict(islice(enumerate(drawn), 0, None, given.every)) for origin, drawn in origins.items()}
    return {origin: stated for origin, stated in found.items() if stated}


def different(drawn: Iterable[Interpolation]) -> Iterator[Interpolation]:
    """Yield each problem once."""
    seen: set[Interpolation] = set()
    for problem in drawn:
        if problem not in seen:
            seen.add(problem)
            yield problem


Pending = tuple[str, int, Interpolation, Engine]


def outcomes(
    stated: dict[str, dict[int, Interpolation]],
    known: Records,
    engines: Sequence[Engine],
    is_trivial: Callable[[Interpolation], bool],
) -> Iterator[Pending | Record]:
    """Yield each solver with a problem whose outcome is not known, and the records of trivial problems."""
    for origin, of_origin in stated.items():
        for number, problem in of_origin.items():
            missing = [engine for engine in engines if not known.has(origin, number, engine.name)]
            if missing and is_trivial(problem):
                yield trivial(origin, number)
            else:
                yield from ((origin, number, problem, engine) for engine in missing)


def measured(pending: Pending, checker: Checker, rlimit: int) -> Record:
    """Return the outcome of a solver on a problem."""
    origin, number, problem, engine = pending
    start = time.perf_counter()
    outcome = engine.solve(printed(problem.with_header((), ())), (), rlimit)
    middle = time.perf_counter()
    row = row_of(problem, outcome, checker)
    reason = error_class(outcome.reason) if outcome.reason and outcome.status is not Status.UNSAT else ""
    seconds = round(middle - start, 3), round(time.perf_counter() - middle, 3)
    return Record(origin, number, engine.name, row, reason, *seconds)


def isolated(solving: Solving, names: tuple[str, ...], lines: tuple[str, ...], watchdog: Watchdog) -> list[Engine]:
    """Return all solvers in processes of their own: Spacer may ignore its limits."""
    engines: list[Engine] = [Isolated(replace(one, isolated=True), solving, watchdog) for one in selected(names, ())]
    limits = (solving.wall_seconds, solving.memory_megabytes)
    engines += [CommandInterpolator(Command.of(line, *limits, requests=solving.requests)) for line in lines]
    return engines


def main() -> None:
    """Print a table for each origin of problems, with a column for each solver."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="corpus-itp/ unless others are drawn")
    flags.add_argument("--solver", action="append", default=[], metavar="NAME|CMD")
    flags.add_argument("--splits", type=int, default=0, metavar="N")
    flags.add_argument("--unrollings", type=int, default=0, metavar="N")
    flags.add_argument("--seconds", type=float, default=5.0)
    flags.add_argument("--megabytes", type=int, default=1024)
    about = "time and size of interpolants by the size of paths instead, of these families or of all"
    flags.add_argument("--curves", nargs="*", metavar="FAMILY", help=about)
    flags.add_argument("--encoding", action="append", default=[], help="with --curves, that of memory: axioms, arrays")
    flags.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th problem")
    flags.add_argument("--limit", type=int, default=None, metavar="N", help="take the first N files")
    flags.add_argument("--records", type=Path, metavar="FILE", help="the outcomes so far, to which this run appends")
    flags.add_argument("--minutes", type=float, default=float("inf"), metavar="M", help="end after these minutes")
    flags.add_argument("--json", type=Path, metavar="FILE", help="with --curves, write all points")
    given = flags.parse_args()
    given.folders = given.folders or ([] if given.splits or given.unrollings else [ROOT / "corpus-itp"])
    chosen = tuple(name for name in given.solver or ["spacer", "bitwuzla"] if not is_command(name))
    limits = Solving(wall_seconds=given.seconds, memory_megabytes=given.megabytes, rlimit=1_000_000_000)
    others = tuple(name for name in given.solver if is_command(name))
    solving = replace(limits, domain="interpolation", solvers=chosen, cross=others)
    names, lines = names_of(solving), commands(solving)
    solving.activate()
    from chcfuzz.domains.interpolation.oracles.interpolant import Checker
    from chcfuzz.domains.interpolation.solvers.trivial import refused

    watchdog = Watchdog(given.seconds)
    engines, checker = isolated(solving, names, lines, watchdog), Checker(Watchdog(60.0))
    if given.curves is not None:
        found_curves = curves(engines, solving.rlimit, given.curves, given.encoding)
        if given.json:
            given.json.write_text(json.dumps(found_curves, indent=1) + "\n")
        return
    stated, records = problems(given), Records(given.records)
    end = time.monotonic() + 60 * given.minutes
    for record in outcomes(stated, records, engines, lambda one: bool(refused(one, watchdog))):
        records.add(record if isinstance(record, Record) else measured(record, checker, solving.rlimit))
        if time.monotonic() > end:
            break
    print("\n".join(tables(records.all, ROWS)))


if __name__ == "__main__":
    main()
