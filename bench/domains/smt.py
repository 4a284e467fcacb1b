"""Measure the SMT solvers of a campaign: which problems they accept and decide, how fast, and whether traces repeat.

python -m bench.domains.smt                                 # corpus-smt/
python -m bench.domains.smt folder --solvers z3,bitwuzla    # other problems, other solvers
python -m bench.domains.smt --drawn 1000                    # drawn problems
python -m bench.domains.smt --drawn 1000 --theory FP        # those with floating point
python -m bench.domains.smt --executions 20000              # memory of the worker and its child processes
python -m bench.domains.smt --opfuzz /path/opfuzz           # a campaign beside yinyang's opfuzz on the same seeds

`--opfuzz` runs Z3 with two settings in both, because only Z3's wheel contains a command. Both make the same number of
mutants, of all seeds: with its default of 300 for each seed, opfuzz would see a few seeds in a minute.
"""

from __future__ import annotations

import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

import psutil
from chcfuzz.domains.smt.solvers.solver_engines import smt_solvers
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading import parse
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog

from bench.campaigns import ROOT, campaign, parser, print_table, write_json

CORPUS = ROOT / "corpus-smt"
TARGET = ROOT / "fuzz_targets" / "smt.py"
SETTINGS = ("z3", "smt.arith.solver=2")  # of the comparison with opfuzz
_LEFT_OUT = (Status.UNSUPPORTED, Status.ERROR)


@dataclass(frozen=True)
class Entry:
    """A problem as canonical text, with its theories as one word."""

    text: str
    theories: str


@dataclass
class Tally:
    """Executions of one solver."""

    statuses: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        self.statuses[outcome.status.value] += 1
        self.seconds += outcome.seconds
        if outcome.status in _LEFT_OUT:
            self.reasons[re.sub(r"\d+", "N", outcome.reason)[:80]] += 1

    @property
    def total(self) -> int:
        return sum(self.statuses.values())

    @property
    def accepted(self) -> int:
        return self.total - sum(self.statuses[status.value] for status in _LEFT_OUT)

    @property
    def decided(self) -> int:
        return self.statuses[Status.SAT.value] + self.statuses[Status.UNSAT.value]


def in_folder(folder: Path) -> Iterator[Entry]:
    """Yield the problems of a folder that chcfuzz reads."""
    for file in sorted(folder.rglob("*.smt2")):
        try:
            problem = parse.problem(file.read_text(errors="replace"), str(file))
        except ChcfuzzError as error:
            print(f"not read: {error}", file=sys.stderr)
            continue
        yield Entry(print_problem(problem), "+".join(sorted(problem.theories)) or "Bool")


def drawn(number: int, theory: str = "") -> Iterator[Entry]:
    """Yield problems that are drawn from choices with the seeds 0, 1, ..., of this theory alone if it is named."""
    from chcfuzz.grammar.choices import Choices
    from chcfuzz.grammar.drawing.draw_problem import draw_problem

    problems = (draw_problem(Choices(random.Random(seed).randbytes(2_000))) for seed in count())
    fitting = (problem for problem in problems if not theory or theory in problem.theories)
    for problem in islice(fitting, number):
        yield Entry(print_problem(problem), "+".join(sorted(problem.theories)) or "Bool")


def cpu_seconds() -> float:
    """Return the processor time of this process and its live children."""
    own = psutil.Process()
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(time.user + time.system for time in times)


def processor_seconds_of_children() -> float:
    """Return the processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def hashes(entries: Sequence[Entry], solving: Solving) -> dict[int, str]:
    """Return the merged traces of problems by number, solved in this process in this order."""
    solvers = smt_solvers(solving, Watchdog(60))
    found = {}
    for number, entry in enumerate(entries):
        outcome = solvers.solve(entry.text, (), solving.rlimit)
        is_repeatable = Status.HANG not in (outcome.status, *(other.status for _, other in outcome.others))
        found[number] = f"{outcome.trace.hash:016x}" if is_repeatable else ""
    return found


def acceptance(entries: Sequence[Entry], solving: Solving) -> dict[str, object]:
    """Solve each problem once; print shares by theory and solver, and the time that each solver takes."""
    solvers = smt_solvers(solving, Watchdog(solving.wall_seconds))
    tallies: dict[tuple[str, str], Tally] = {}
    solvers.solve(entries[0].text, (), solving.rlimit)  # starts the child processes
    start, before = time.perf_counter(), cpu_seconds()
    for entry in entries:
        for name in solvers.names:
            one = solvers.alone(name, entry.text, (), solving.rlimit)
            for group in (entry.theories, "all"):
                tallies.setdefault((group, name), Tally()).add(one)
    seconds, used = time.perf_counter() - start, cpu_seconds() - before
    groups = Counter(entry.theories for entry in entries)
    rows: list[list[object]] = [["theories", "problems", *(f"{name} accepts, decides" for name in solvers.names)]]
    for group, number in (("all", len(entries)), *groups.most_common(16)):
        shown = (tallies[group, name] for name in solvers.names)
        rows.append([group, number, *(f"{t.accepted / t.total:7.1%} {t.decided / t.total:7.1%}" for t in shown)])
    print_table(rows)
    whole = {name: tallies["all", name] for name in solvers.names}
    print(
        f"\n{len(entries) / seconds:.1f} problems a second; {used / len(entries) * 1000:.2f} ms of processor time each"
    )
    for name, tally in whole.items():
        print(f"{name}: {tally.seconds / len(entries) * 1000:.2f} ms, {tally.seconds / seconds:.0%} of the time")
        for reason, number in tally.reasons.most_common(4):
            print(f"    {number} times: {reason}")
    rest = seconds - sum(tally.seconds for tally in whole.values())
    print(f"rest: {rest / len(entries) * 1000:.2f} ms, {rest / seconds:.0%} of the time")
    return {
        "problems_per_second": len(entries) / seconds,
        "processor_ms": used / len(entries) * 1000,
        "shares": {name: [t.accepted / t.total, t.decided / t.total] for name, t in whole.items()},
        "by_theory": {f"{group} {name}": dict(tally.statuses) for (group, name), tally in tallies.items()},
    }


def stability(entries: Sequence[Entry], solving: Solving) -> dict[str, object]:
    """Solve each problem twice in this process and once in another one, there in the reverse order."""
    here, again = hashes(entries, solving), hashes(entries, solving)
    script = "import json, sys; from bench.domains import smt; smt.solve_for_parent(json.load(sys.stdin))"
    given = {"texts": [entry.text for entry in reversed(entries)], "flags": solving.arguments}
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    other = list(reversed(json.loads(done.stdout.splitlines()[-1])))
    compared = [number for number in here if here[number] and again[number] and other[number]]
    same = sum(here[number] == again[number] for number in compared)
    fresh = sum(here[number] == other[number] for number in compared)
    print(f"traces repeat in this process: {same} of {len(compared)}; in another process: {fresh}")
    for number in compared:
        if not here[number] == again[number] == other[number]:
            print(f"not always the same trace:\n{entries[number].text}")
    return {"compared": len(compared), "in_process": same, "fresh": fresh}


def solve_for_parent(given: dict[str, list[str]]) -> None:
    """Print the traces of the problems that another process gives."""
    z3_release.activate(None, None)
    entries = [Entry(text, "") for text in given["texts"]]
    print(json.dumps(list(hashes(entries, Solving.parsed(given["flags"])).values())))


def memory(entries: Sequence[Entry], solving: Solving, executions: int) -> dict[str, object]:
    """Solve problems in turn, and print the resident memory of this process and its children."""
    solvers = smt_solvers(solving, Watchdog(solving.wall_seconds))
    most, found = 0, []
    for number in range(executions):
        solvers.solve(entries[number % len(entries)].text, (), solving.rlimit)
        if (number + 1) % max(1, executions // 8) == 0:
            own = psutil.Process()
            resident = [process.memory_info().rss >> 20 for process in (own, *own.children(recursive=True))]
            most = max(most, sum(resident))
            found.append((number + 1, resident))
            print(f"{number + 1} executions: {resident} MB resident")
    return {"most_megabytes": most, "course": found}


@dataclass(frozen=True)
class Speed:
    """A run on the same seeds: its mutants, and the seconds that it took by the clock and on all processors."""

    mutants: float
    wall: float
    processor: float

    @property
    def rates(self) -> dict[str, float]:
        """Mutants a second."""
        return {"wall": self.mutants / self.wall, "processor": self.mutants / self.processor}


def timed(run: Callable[[], float]) -> Speed:
    """Return the speed of `run`, which starts child processes and returns the number of mutants."""
    start, before = time.perf_counter(), processor_seconds_of_children()
    mutants = run()
    return Speed(mutants, time.perf_counter() - start, processor_seconds_of_children() - before)


def beside_opfuzz(folder: Path, opfuzz: Path, mutants: int) -> dict[str, object]:
    """Let opfuzz make some mutants of each seed, and a campaign with one worker as many, with two settings of Z3."""
    program = z3_release.active().executable
    commands = f"{program} model_validate=true;{program} {SETTINGS[1]}"

    def theirs() -> float:
        with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as name:
            start = time.perf_counter()
            words = [str(opfuzz), "-i", str(mutants), commands, str(folder)]
            done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=name)
            seconds = time.perf_counter() - start
        printed = done.stdout + done.stderr
        rates = re.findall(r"\d+ solver calls \(([\d.]+) calls/s", printed)
        if not rates:
            raise SystemExit(f"opfuzz printed no statistics:\n{printed[-1000:]}")
        return float(rates[-1]) * seconds / len(SETTINGS)  # the last line is up to two seconds old

    other = timed(theirs)
    flags = [f"--solvers={SETTINGS[0]},{SETTINGS[0]}:{SETTINGS[1]}", "-seed=1", "--workers=1"]
    runs = f"-runs={len(list(folder.rglob('*.smt2'))) + int(other.mutants)}"
    own = timed(lambda: float(campaign([*flags, runs], (folder,), script=TARGET)["solved"]))
    for name, speed in (("opfuzz", other), ("chcfuzz", own)):
        print(f"{name}: {speed.mutants:.0f} mutants in {speed.wall:.1f} s, {speed.processor:.1f} s of processor time")
    for kind, rate in own.rates.items():
        print(f"by {kind} time: {rate:.1f} a second, {rate / other.rates[kind]:.1f} times as many as opfuzz")
    return {"opfuzz": other.rates, "chcfuzz": own.rates}


def main() -> None:
    """Measure what the flags select."""
    flags = parser(__doc__)
    flags.add_argument("folder", nargs="?", type=Path, default=CORPUS, help="problems (default: corpus-smt/)")
    flags.add_argument("--drawn", type=int, default=0, metavar="N", help="draw N problems instead")
    flags.add_argument("--theory", default="", metavar="NAME", help="draw problems of this theory, such as FP")
    flags.add_argument("--executions", type=int, default=0, metavar="N", help="measure the memory after N executions")
    flags.add_argument("--opfuzz", type=Path, metavar="FILE", help="compare with this opfuzz")
    flags.add_argument("--mutants", type=int, default=4, metavar="N", help="of opfuzz for each seed (default: 4)")
    flags.add_argument("--no-stability", action="store_true", help="do not compare traces")
    Solving.add_flags(flags)
    given = flags.parse_args()
    solving = Solving.of(given)
    z3_release.activate(solving.z3, solving.z3_library)
    if given.opfuzz is not None:
        write_json(given.json, beside_opfuzz(given.folder.resolve(), given.opfuzz, given.mutants))
        return
    entries = list(drawn(given.drawn, given.theory) if given.drawn else in_folder(given.folder))
    measured = acceptance(entries, solving)
    if not given.no_stability:
        measured["stability"] = stability(entries, solving)
    if given.executions:
        measured["memory"] = memory(entries, solving, given.executions)
    write_json(given.json, measured)


if __name__ == "__main__":
    main()
