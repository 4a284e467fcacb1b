"""Measure rows for SMT problems on a folder of problems: changes, decided answers, broken promises, and time.

    python -m bench.domains.smt_rows corpus-smt --draws 2

Each row is drawn on every problem. Mutants are solved by Z3, cvc5 and Bitwuzla in this process. A promise counts as
broken if the solvers that decide the mutant agree on another answer than the promised one; a difference between solvers
is counted apart. The exit code is 1 after a broken promise.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from chcfuzz.domains.smt.roots import SmtRoots
from chcfuzz.domains.smt.rows.registry import rows
from chcfuzz.domains.smt.solvers.bitwuzla import Bitwuzla
from chcfuzz.domains.smt.solvers.cvc5 import Cvc5
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.domains.smt.solvers.z3 import Z3
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw_problem import draw_problem
from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.mutators import roots
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog

_RLIMIT = 100_000
_DECIDED = (Status.SAT, Status.UNSAT)


class Tally:
    """Counts for a row."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.seconds = 0.0

    def line(self, name: str) -> str:
        """Return the counts as a row of the table."""
        tried, changed = self.counts["tried"], self.counts["changed"]
        solved = self.counts["solved"]
        share = 100 * self.counts["decided"] / solved if solved else 0
        each = 1e6 * self.seconds / tried if tried else 0
        words = [f"{name:34}", f"{tried:6} tried", f"{changed:6} changed", f"{each:7.0f} us", f"{solved:6} solved"]
        words += [f"{share:5.1f} % decided", f"{self.counts['promised']:6} promised", f"{self.counts['broken']} broken"]
        return "  ".join(words) + (f"  {self.counts['differ']} differ" if self.counts["differ"] else "")


def answer(engines: Sequence[Engine], text: str) -> tuple[str | None, bool]:
    """Return the answer of the engines that decide a text, if they agree, and whether they differ."""
    outcomes: list[Outcome] = [engine.solve(text, (), _RLIMIT) for engine in engines]
    found = {outcome.status.value for outcome in outcomes if outcome.status in _DECIDED}
    return (found.pop(), False) if len(found) == 1 else (None, len(found) > 1)


def problems(folder: Path | None, drawn: int) -> Iterator[tuple[str, Problem]]:
    """Yield the problems below a folder, or drawn ones."""
    for file in sorted(folder.rglob("*.smt2")) if folder else ():
        yield file.name, parse.problem(file.read_text(), file.name)
    for number in range(drawn):
        yield f"drawn {number}", draw_problem(Choices(b"", f"problem {number}".encode()))


def measure(row: Mutation, problem: Problem, second: str, key: bytes, tally: Tally) -> Problem | None:
    """Apply a row once, and count it."""
    start = time.perf_counter()
    made: Problem | None = None
    with suppress(LimitError):
        made = row.rewrite(problem, Choices(second.encode() if row.takes_system else b"", key))
    tally.seconds += time.perf_counter() - start
    tally.counts["tried"] += 1
    tally.counts["changed"] += made is not None
    return made


def judge(row: Mutation, known: str | None, text: str, engines: Sequence[Engine], tally: Tally) -> bool:
    """Solve a mutant, and return whether the promise is broken."""
    found, differ = answer(engines, text)
    tally.counts["solved"] += 1
    tally.counts["decided"] += found is not None
    tally.counts["differ"] += differ
    expected = row.promise.expected(known)
    if row.promise is Promise.NOTHING or expected is None or found is None:
        return False
    tally.counts["promised"] += 1
    tally.counts["broken"] += found != expected
    return found != expected


def run(given: argparse.Namespace, engines: Sequence[Engine], tallies: Mapping[str, Tally]) -> None:
    """Draw every row on every problem, and solve the mutants."""
    number, second = 0, ""
    for name, problem in problems(given.folder, given.drawn):
        known, _ = answer(engines, print_problem(problem.with_header((), ())))
        stated = problem.with_header([("status", known)] if known else (), ())
        for row in rows():
            for draw in range(given.draws):
                made = measure(row, stated, second, f"{name} {row.id} {draw}".encode(), tallies[row.id])
                number += made is not None
                if made is None or number % given.every:
                    continue
                text = print_problem(made)
                if judge(row, known, text, engines, tallies[row.id]):
                    print(f"broken: {row.id} on {name}, which is {known}\n{text}", flush=True)
        second = print_problem(stated)


def main() -> None:
    """Print a table of all rows, also after Ctrl-C."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("folder", type=Path, nargs="?")
    flags.add_argument("--drawn", type=int, default=0, metavar="N", help="number of problems that are drawn")
    flags.add_argument("--draws", type=int, default=1, metavar="N", help="draws of each row on each problem")
    flags.add_argument("--every", type=int, default=1, metavar="N", help="solve one of N mutants")
    given = flags.parse_args()
    roots.activate(SmtRoots())
    engines: list[Engine] = [Z3(Watchdog(5)), Cvc5(), Bitwuzla()]
    tallies = {row.id: Tally() for row in rows()}
    total = Tally()
    with suppress(KeyboardInterrupt):
        run(given, engines, tallies)
    for row_id, tally in tallies.items():
        total.counts.update(tally.counts)
        total.seconds += tally.seconds
        print(tally.line(row_id))
    print(total.line("all"))
    sys.exit(1 if total.counts["broken"] else 0)


if __name__ == "__main__":
    main()
