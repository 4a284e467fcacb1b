"""Measure cost and yield of cvc5 on the clauses as plain SMT: `plain_smt.py --unsat 60 --sat 40`.

For systems of corpus/, spread over all groups: the time of Spacer, of the check of its model, and of cvc5
(`domains/chc/oracles/plain_smt.py`, with the start of its process); the unsatisfiable systems that cvc5 refutes, and
the checked refutations that its instantiations give. The last line has the cost of querying cvc5 at every answer `sat`,
and only at those without a checked model, as a share of the time that Spacer takes.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from chcfuzz.execution.solving import DEFAULT_RLIMIT, Solving

from bench.campaigns import CORPUS, parser, print_table, write_json


@dataclass(frozen=True)
class Row:
    """Seconds and results for one system: Spacer's answer, whether its model was checked, and what cvc5 found."""

    file: str
    status: str
    answer: str
    has_checked_model: bool
    spacer: float
    model_check: float
    cvc5: float
    is_refuted: bool
    steps: int | None


def spread(files: Sequence[Path], number: int) -> list[Path]:
    """Return at most `number` of the files, evenly spread."""
    return [files[place * len(files) // number] for place in range(min(number, len(files)))]


def measured(file: Path, solving: Solving) -> Row:
    """Solve a system, check its model, and query cvc5."""
    from chcfuzz.domains.chc.oracles import model, plain_smt
    from chcfuzz.domains.chc.solvers.spacer import Spacer
    from chcfuzz.grammar.reading.parse import parse  # needs the Z3 that `main` has chosen
    from chcfuzz.oracles.verdict import VerdictKind
    from chcfuzz.solvers.outcome import Status
    from chcfuzz.solvers.watchdog import Watchdog
    from chcfuzz.tracing.progress_log import ProgressLog

    text = file.read_text()
    system, watchdog = parse(text, file.name), Watchdog(solving.wall_seconds)
    times = [time.perf_counter()]
    outcome = Spacer(ProgressLog(), watchdog).solve(text, (), solving.rlimit)
    times.append(time.perf_counter())
    holds = outcome.status is Status.SAT and model.check(system, outcome, watchdog).kind is VerdictKind.PASS
    times.append(time.perf_counter())
    found = plain_smt.ask(system)
    times.append(time.perf_counter())
    spacer, check, cvc5 = (after - before for before, after in pairwise(times))
    steps = None if found.refutation is None else len(found.refutation)
    name, status = str(file.relative_to(CORPUS)), system.status or ""
    return Row(name, status, outcome.status.value, holds, spacer, check, cvc5, found.is_unsat, steps)


def summary(rows: Sequence[Row]) -> list[list[object]]:
    """Return the table: a line for each status."""
    table: list[list[object]] = [
        [
            "status",
            "systems",
            "cvc5 unsat",
            "checked refutation",
            "cvc5 median",
            "nine of ten",
            "most",
            "Spacer",
            "cvc5",
        ]
    ]
    for status in ("unsat", "sat"):
        chosen = [row for row in rows if row.status == status]
        if not chosen:
            continue
        times = sorted(row.cvc5 for row in chosen)
        most = [statistics.median(times), times[int(0.9 * (len(times) - 1))], times[-1]]
        numbers = [len(chosen), sum(row.is_refuted for row in chosen), sum(row.steps is not None for row in chosen)]
        sums = [sum(row.spacer for row in chosen), sum(times)]
        table.append([status, *numbers, *(f"{seconds:.2f} s" for seconds in (*most, *sums))])
    return table


def costs(rows: Sequence[Row]) -> str:
    """Return the cost of two policies as shares of Spacer's time on all systems."""
    solving = sum(row.spacer for row in rows)
    answered = [row for row in rows if row.answer == "sat"]
    doubtful = [row for row in answered if not row.has_checked_model]
    shares = [f"{sum(row.cvc5 for row in chosen) / solving:.0%}" for chosen in (answered, doubtful)]
    return (
        f"queries at all {len(answered)} answers sat: {shares[0]} of Spacer's time; "
        f"at the {len(doubtful)} without a checked model: {shares[1]}"
    )


def main() -> None:
    """Measure, and print the table."""
    flags = parser(__doc__)
    flags.add_argument("--unsat", type=int, default=60, metavar="N", help="systems (default: %(default)s)")
    flags.add_argument("--sat", type=int, default=40, metavar="N", help="systems (default: %(default)s)")
    given = flags.parse_args()
    solving = Solving(rlimit=DEFAULT_RLIMIT)
    solving.activate()
    files = sorted(CORPUS.rglob("*.smt2"))
    chosen = spread([file for file in files if "(set-info :status unsat)" in file.read_text()], given.unsat)
    chosen += spread([file for file in files if "(set-info :status sat)" in file.read_text()], given.sat)
    rows = []
    for file in chosen:
        rows.append(measured(file, solving))
        print(rows[-1], file=sys.stderr, flush=True)
    print_table(summary(rows))
    print(costs(rows))
    write_json(given.json, [row.__dict__ for row in rows])


if __name__ == "__main__":
    main()
