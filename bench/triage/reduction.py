"""Compare the reducer with ddSMT under the same check: sizes of the results, and number of tests.

python -m bench.triage.reduction  # a planted bug, on mutants of corpus/
python -m bench.triage.reduction --z3 4.8.14.0  # wrong models of that release, on corpus/ and its mutants
python -m bench.triage.reduction --z3 4.8.14.0 --parameter fp.xform.elim_term_ite=true
python -m bench.triage.reduction --corpus imported --most 5  # other systems, at most 5
python -m bench.triage.reduction --jobs 2  # parallel tests, for both reducers
python -m bench.triage.reduction --findings findings  # findings of a campaign, with their own flags

ddSMT (`pip install ddsmt`) takes part if it is installed. Both use the same check: the text is a CHC system, and the
finding holds. One process with a loaded solver runs the check for both, so neither pays for starting the solver.

With `--findings`, both reduce the mutant under the finding's parameters, and the check is that of `chcfuzz reduce`.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import shake_128
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import is_operator, subterms
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.triage.shrink.passes import shrink
from chcfuzz.triage.shrink.result import Shrunk
from chcfuzz.triage.shrink.search import in_parallel, one_by_one

from bench.campaigns import CORPUS, parser, print_table, write_json

if TYPE_CHECKING:
    from chcfuzz.triage.reduce.pool import JudgePool

RLIMIT = 100_000
_WATCHDOG = Watchdog(60)
STEPS = 12  # mutations of a mutant
CHECK_SECONDS = 60.0  # limit for one check of ddSMT, far more than it needs
# The program that ddSMT runs for each candidate: it sends the file's name, and exits with the answer.
CLIENT = """import socket, sys
client = socket.socket(socket.AF_UNIX)
client.connect(sys.argv[1])
client.sendall(sys.argv[2].encode())
sys.exit(int(client.recv(1)))
"""
HOLDS, FAILS = 1, 0  # exit codes


@functools.cache
def solver():  # type: ignore[no-untyped-def]  # Z3 must not be imported before `activate`
    """Return Spacer, one instance per process."""
    from chcfuzz.domains.chc.solvers.spacer import Spacer
    from chcfuzz.tracing.progress_log import ProgressLog

    return Spacer(ProgressLog(), _WATCHDOG)


def wrong_model(text: str, parameters: Sequence[tuple[str, str]]) -> bool:
    """Determine whether a text is a CHC system for which Spacer returns a wrong model under these parameters."""
    from chcfuzz.domains.chc.oracles import model
    from chcfuzz.oracles.verdict import VerdictKind

    try:
        system = parse(text)
    except ChcfuzzError:
        return False
    outcome = solver().solve(print_system(system), parameters, RLIMIT)
    return model.check(system, outcome, _WATCHDOG).kind is VerdictKind.WRONG_MODEL


def planted(text: str) -> bool:
    """Determine whether a text is a CHC system with a model and with a repeated conjunct beside a predicate.

    A planted solver that answers unsat for every repeated conjunct is wrong on these systems.
    """
    from chcfuzz.domains.chc.oracles import model
    from chcfuzz.oracles.verdict import VerdictKind

    try:
        system = parse(text)
    except ChcfuzzError:
        return False
    conjunctions = (t for c in system.clauses for t in subterms(c.formula) if is_operator(t, "and") and t.has_atoms)
    if not any(len(set(conjunction.children)) < len(conjunction.children) for conjunction in conjunctions):
        return False
    outcome = solver().solve(print_system(system), (), RLIMIT)
    return model.check(system, outcome, _WATCHDOG).kind is VerdictKind.PASS


@dataclass(frozen=True)
class Reduced:
    """A reduced system: its text, the number of tests, and the seconds."""

    text: str
    tests: int
    seconds: float

    def cells(self) -> list[object]:
        """Return the table cells: clauses, nodes, characters, tests, seconds."""
        return [*sizes(self.text), self.tests, self.seconds]


def sizes(text: str) -> list[object]:
    """Return the numbers of clauses, nodes of terms, and characters."""
    system = parse(text)
    return [len(system.clauses), sum(clause.formula.size for clause in system.clauses), len(print_system(system))]


def by_us(system: System, holds: Callable[[str], bool], jobs: int, executor: Callable[[], Executor]) -> Reduced:
    """Reduce the system with `triage.shrink`."""
    start = time.perf_counter()
    if jobs == 1:
        found = _last(shrink(system, one_by_one(lambda candidate: holds(print_system(candidate)))))
    else:
        with executor() as running:
            found = _last(shrink(system, in_parallel(holds, running, print_system, jobs)))
    return Reduced(print_system(found.system), found.counts.tested, time.perf_counter() - start)


def _last(steps: Iterator[Shrunk[System]]) -> Shrunk[System]:
    *_, found = steps
    return found


def by_ddsmt(system: System, holds: Callable[[str], bool], jobs: int) -> Reduced | None:
    """Reduce the system with ddSMT; return None if it is not installed."""
    program = shutil.which("ddsmt", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    if program is None:
        return None
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as name:
        folder = Path(name)
        (folder / "client.py").write_text(CLIENT)
        (folder / "before.smt2").write_text(print_system(system))
        client = [sys.executable, "-I", "-S", str(folder / "client.py"), str(folder / "socket")]
        server = _Server(folder / "socket", holds)
        start = time.perf_counter()
        flags = ["-j", str(jobs), "--timeout", str(CHECK_SECONDS), "--ignore-output"]
        files = [str(folder / "before.smt2"), str(folder / "after.smt2")]
        done = subprocess.run([program, *flags, *files, *client], capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - start
        server.end()
        after = folder / "after.smt2"
        text = after.read_text() if after.exists() else (folder / "before.smt2").read_text()
        if done.returncode != 0 or not holds(text):
            raise SystemExit(f"ddSMT failed with exit code {done.returncode}:\n{done.stderr[-2000:]}")
        return Reduced(text, server.tests, seconds)


class _Server:
    """A thread that runs the checks for ddSMT's clients, one at a time."""

    def __init__(self, address: Path, holds: Callable[[str], bool]) -> None:
        self.tests = 0
        self._holds = holds
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(address))
        self._listening.listen(64)
        self._address = address
        self._thread = Thread(target=self._answer)
        self._thread.start()

    def _answer(self) -> None:
        while True:
            connection, _ = self._listening.accept()
            with connection:
                name = connection.recv(4096).decode()
                if not name:
                    return
                self.tests += 1
                text = Path(name).read_text(errors="replace") if Path(name).exists() else ""
                connection.sendall(str(HOLDS if self._holds(text) else FAILS).encode())

    def end(self) -> None:
        """Stop the thread."""
        with socket.socket(socket.AF_UNIX) as last:
            last.connect(str(self._address))
        self._thread.join()
        self._listening.close()


def cases(folders: Sequence[Path], holds: Callable[[str], bool], most: int) -> Iterator[tuple[str, System]]:
    """Yield systems for which the finding holds: files of the folders, or a mutant of a file."""
    found = 0
    for path in (path for folder in folders for path in sorted(folder.rglob("*.smt2"))):
        try:
            seed = parse(path.read_text(errors="replace"), path.name)
        except ChcfuzzError:
            continue
        for system in (seed, mutant(seed, path.name)):
            if found < most and holds(print_system(system)):
                found += 1
                yield path.stem, system
                break


def mutant(system: System, name: str) -> System:
    """Apply a deterministic chain of mutations to a system."""
    from chcfuzz.domains.chc.rows import order, rules
    from chcfuzz.mutators.families import boolean, quantifiers

    rows = [*boolean.MUTATIONS, *quantifiers.MUTATIONS, *rules.MUTATIONS, *order.MUTATIONS]
    choices = Choices(shake_128(name.encode()).digest(64 * STEPS))
    for _ in range(STEPS):
        system = choices.pick(rows).rewrite(system, choices) or system
    return system


@dataclass(frozen=True)
class Case:
    """A system for which `holds` returns True; `executor` creates a pool for parallel tests."""

    name: str
    system: System
    holds: Callable[[str], bool]
    executor: Callable[[], Executor]


def planted_cases(given: argparse.Namespace) -> Iterator[Case]:
    """Yield systems of folders that show the planted bug or a wrong model of a release."""
    parameters = [tuple(parameter.split("=", 1)) for parameter in given.parameter]
    holds = functools.partial(wrong_model, parameters=parameters) if given.z3 else planted
    executor = functools.partial(ProcessPoolExecutor, given.jobs, multiprocessing.get_context("fork"))
    for name, system in cases(given.corpus or [CORPUS], holds, given.most):
        yield Case(name, system, holds, executor)


def found_cases(given: argparse.Namespace) -> Iterator[Case]:
    """Yield the findings in a folder that are reproduced, with the check of `chcfuzz reduce`."""
    from chcfuzz.triage.findings.store import finding_folders
    from chcfuzz.triage.reduce.condition import read_finding
    from chcfuzz.triage.reduce.pool import JudgePool

    for folder in finding_folders(given.findings)[: given.most]:
        try:
            finding = read_finding(folder)
        except ChcfuzzError as error:
            print(error, file=sys.stderr)
            continue
        with JudgePool(finding.condition, Solving.parsed(finding.finding.record.solving), given.jobs) as pool:
            passed, why = pool.judge(finding.recipe)
            if passed is None:
                print(f"{folder.name} cannot be reproduced: {why}", file=sys.stderr)
                continue
            holds = functools.partial(shows, pool, passed.recipe.parameters)
            yield Case(
                folder.name,
                parse(passed.system),
                holds,
                functools.partial(ThreadPoolExecutor, given.jobs),
            )


def shows(pool: JudgePool, parameters: tuple[tuple[str, str], ...], text: str) -> bool:
    """Determine whether a text is a CHC system that shows the finding under these parameters."""
    try:
        parse(text)
    except ChcfuzzError:
        return False
    return pool.judge(Recipe(text, (), parameters))[0] is not None


def main() -> None:
    """Reduce every case with both reducers, and print the results."""
    flags = parser(__doc__)
    flags.add_argument("--corpus", action="append", type=Path, metavar="DIR", help="instead of corpus/")
    flags.add_argument(
        "--findings", type=Path, metavar="DIR", help="reduce findings of a campaign instead of planted bugs"
    )
    flags.add_argument("--z3", metavar="VERSION", help="reduce wrong models of this release instead of a planted bug")
    flags.add_argument(
        "--parameter", action="append", default=[], metavar="NAME=VALUE", help="parameter for those wrong models"
    )
    flags.add_argument("--most", type=int, default=10, metavar="N", help="number of systems (default: %(default)s)")
    flags.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="number of parallel tests (default: %(default)s)"
    )
    given = flags.parse_args()
    z3_release.activate(given.z3)
    columns = ["clauses", "nodes", "characters", "tests", "seconds"]
    rows: list[list[object]] = [["system", "clauses", "nodes", "characters"]]
    rows[0] += [f"ours: {columns[0]}", *columns[1:], f"ddSMT: {columns[0]}", *columns[1:]]
    for case in found_cases(given) if given.findings else planted_cases(given):
        ours = by_us(case.system, case.holds, given.jobs, case.executor)
        theirs = by_ddsmt(case.system, case.holds, given.jobs)
        before = sizes(print_system(case.system))
        rows.append([case.name, *before, *ours.cells(), *(theirs.cells() if theirs else ["-"] * 5)])
        print(f"{case.name}\n{ours.text}\n; ddSMT\n{theirs.text if theirs else ''}")
        print_table([rows[0], rows[-1]])
        sys.stdout.flush()
    numbers = [[cell for cell in row[1:] if isinstance(cell, int | float)] for row in rows[1:]]
    if numbers and len({len(row) for row in numbers}) == 1:
        rows.append(["total", *(sum(column) for column in zip(*numbers, strict=True))])
    print_table(rows)
    write_json(given.json, rows)


if __name__ == "__main__":
    main()
