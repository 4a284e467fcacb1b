"""Measure the lines of Z3 that seeds reach under single parameters, and under configurations as well.

python -m bench.power.reach --z3-library ~/.cache/chcfuzz/z3-traced/5.4.0.0-trace
python -m bench.power.reach --supported --executions 1200 corpus imported  # without experimental parameters
python -m bench.power.reach --run RUN  # the lines that the units of a campaign reached

Both sides have the same number of executions; each execution solves an unchanged seed under one configuration key,
without mutations and oracles. "before": the defaults and every single parameter in turn. "after": the same for one half
of the executions, every configuration (`domains/chc/rows/configurations.py`) in turn for the other half. The choice
of seeds is deterministic. Each key has its own process; a seed that kills it contributes no edges. The last tables list
the files that stay low, and the reasons.

Measured on Z3 5.4.0 with 398 seeds, 600 executions a side, 300,000 resource units each: muz/spacer 47 % before, 60 %
after; muz/transforms 37 % and 39 %; qe/mbp 51 % both, 11 points of them by the seeds for indirect addressing. With
`--supported`, 400 executions: muz/spacer 36 % and 46 %.

A campaign of one hour on two workers, `--experimental`, 754 seeds, 86,823 mutants solved (`--run`): muz/spacer 66 %,
muz/transforms 46 %, qe/mbp 57 %. Another one of 36 minutes on a faster machine, 60,239 solved: the same; without the
lines that `GUARDS` and `UNCALLED` explain, 72 %, 77 % and 71 %.
"""

from __future__ import annotations

import mmap
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from chcfuzz.campaign.runs.run_folder import RunFolder, build_of
from chcfuzz.campaign.worker import outcomes
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.execution.solving import LIBRARY_VARIABLE, Solving
from chcfuzz.mutators.mutation import Kind, Scope
from chcfuzz.mutators.recipe import Recipe, read
from chcfuzz.mutators.registry import Registry
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.edges import Edges
from chcfuzz.tracing.solver_coverage import Lines, load_address, places
from chcfuzz.tracing.solver_functions import FOLDERS, GUARDS, UNCALLED
from numpy.typing import NDArray

from bench.campaigns import CORPUS, parser, print_table, write_json

Parameters = tuple[tuple[str, str], ...]

LOW = 0.25  # of a file's lines; files in `GUARDS` with more are reached without effect
_STEP = 1009  # a prime: consecutive seeds come from different folders


@dataclass(frozen=True)
class Run:
    """Parameters, with the id of their row, and the seeds to solve under them."""

    row: str
    parameters: Parameters
    seeds: tuple[str, ...]


def settings(rows: Registry) -> tuple[list[tuple[str, Parameters]], list[tuple[str, Parameters]]]:
    """Return the defaults and every value of every single parameter; and the configurations."""
    single: list[tuple[str, Parameters]] = [("default", ())]
    single += [(row.id, ((row.name, value),)) for row in rows.parameters for value in row.values]
    return single, [(row.id, row.settings) for row in rows.configurations]


def dealt(seeds: Sequence[str], chosen: Sequence[tuple[str, Parameters]], executions: int) -> Iterator[Run]:
    """Distribute executions evenly among the chosen parameters, and seeds evenly among the executions."""
    at = 0
    for number, (row, parameters) in enumerate(chosen):
        share = executions * (number + 1) // len(chosen) - executions * number // len(chosen)
        taken = tuple(seeds[(at + turn) * _STEP % len(seeds)] for turn in range(share))
        at += share
        if taken:
            yield Run(row, parameters, taken)


def reached(run: Run, solving: Solving, edges: Edges) -> tuple[NDArray[np.bool_], int]:
    """Return the edges that a run reaches, and the number of seeds that killed the solver."""
    shared = mmap.mmap(-1, len(edges.counters) + 4)
    hit = np.frombuffer(shared, np.uint8, len(edges.counters), 4)
    done = np.frombuffer(shared, np.uint32, 1)
    deaths = 0
    while done[0] < len(run.seeds):
        child = os.fork()
        if not child:
            _execute(run, solving, hit, done)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
            done[0] += 1  # skip the seed that killed the process
            deaths += 1
    return hit.astype(bool), deaths


def _execute(run: Run, solving: Solving, hit: NDArray[np.uint8], done: NDArray[np.uint32]) -> None:
    from chcfuzz.execution.pipeline import Pipeline, event_source

    code = 1
    try:
        events = event_source(solving)
        pipeline = Pipeline(solving, events=events)
        for seed in run.seeds[int(done[0]) :]:
            events.edges.clear()
            pipeline.solve(pipeline.mutant(Recipe(seed)).text, run.parameters)
            np.bitwise_or(hit, events.edges.counters > 0, out=hit)
            done[0] += 1
        code = 0
    finally:
        os._exit(code)


def reached_by(run: RunFolder, solving: Solving, edges: Edges) -> NDArray[np.bool_]:
    """Return the edges that a campaign's units reached, from its table of outcomes."""
    builds = sorted(path.name for path in (run.path / "traces").glob("*"))
    if builds != [build_of(solving)]:
        raise SystemExit(f"{str(run.path)!r} is not a campaign of this build alone; name its build with --z3-library")
    hit = np.zeros(len(edges.counters), bool)
    for kept in outcomes.everything(run.findings):
        hit[kept.edges] = True
    if not hit.any():
        raise SystemExit(f"no outcome with edges is stored in {str(run.findings)!r}")
    return hit


def by_file(lines: frozenset[tuple[str, int]]) -> Counter[str]:
    """Count these lines by file, for the files of `FOLDERS` below src/."""
    return Counter(name for file, _ in lines if (name := file.rpartition("/src/")[2]).startswith(FOLDERS))


def excused(lines: Lines, functions: Sequence[str], reached: frozenset[tuple[str, int]]) -> frozenset[tuple[str, int]]:
    """Return the lines not reached that `GUARDS` or `UNCALLED` explain; `functions` holds the function of each edge."""
    patterns = [re.compile(pattern) for pattern, _ in UNCALLED]
    is_uncalled = np.array([any(pattern.search(name) for pattern in patterns) for name in functions])
    uncalled = lines.reached(is_uncalled) - lines.reached(~is_uncalled)
    guarded = tuple(f"/src/{file}" for file, _, _ in GUARDS)
    return frozenset(uncalled | {line for line in lines.measured if line[0].endswith(guarded)}) - reached


def table(measured: Counter[str], sides: Sequence[Counter[str]], left_out: Counter[str]) -> list[list[object]]:
    """Return a row for each folder and file: percentages of each side, and of the last one without `left_out`."""
    rows: list[list[object]] = []
    for folder in FOLDERS:
        files = sorted(file for file in measured if file.startswith(folder))
        for name, among in ((folder, files), *((file, [file]) for file in files)):
            lines, out = (sum(counts[file] for file in among) for counts in (measured, left_out))
            found = [sum(side[file] for file in among) for side in sides]
            shares = [
                f"{100 * part / whole:.0f} %" if whole else ""
                for part, whole in zip((*found, found[-1]), (*(lines for _ in found), lines - out), strict=True)
            ]
            rows.append([name, lines, *shares])
    return rows


def main() -> None:
    """Run both sides and print the tables."""
    flags = parser(__doc__)
    flags.add_argument("corpora", nargs="*", type=Path, metavar="DIR", help="folders of seeds (default: corpus/)")
    default = os.environ.get(LIBRARY_VARIABLE)
    flags.add_argument("--z3-library", type=Path, default=default, required=default is None, metavar="DIR")
    flags.add_argument(
        "--executions", type=int, default=600, metavar="N", help="executions of each side (default: %(default)s)"
    )
    flags.add_argument("--rlimit", type=int, default=Solving().rlimit, metavar="N")
    flags.add_argument(
        "--supported", action="store_true", help="without parameters that Z3's developers call unsupported"
    )
    flags.add_argument("--run", type=Path, metavar="DIR", help="measure the units of a campaign's run folder instead")
    given = flags.parse_args()
    solving = Solving(z3_library=given.z3_library, rlimit=given.rlimit, second_opinion=0)
    solving.activate()
    from chcfuzz.execution.pipeline import event_source  # imports z3, whose release is chosen now

    edges, library = event_source(solving).edges, active().traced
    if library is None or not len(edges.counters):
        raise SystemExit(
            f"{str(given.z3_library)!r} is a build without edge counters; build_z3_traced.sh builds one with them"
        )
    pcs = edges.pcs - np.array([load_address(library), 0], np.uintp)
    lines, functions = Lines(library, pcs), [place.function if place else "" for place in places(library, pcs[:, 0])]
    measured = by_file(lines.measured)
    if given.run is not None:
        found_lines = lines.reached(reached_by(RunFolder(given.run), solving, edges))
        rows_shown = table(measured, [by_file(found_lines)], by_file(excused(lines, functions, found_lines)))
        print_table([["", "lines", "reached", "of the rest"], *rows_shown])
        write_json(given.json, {"files": rows_shown})
        return
    files = [file for folder in given.corpora or [CORPUS] for file in sorted(folder.rglob("*.smt2"))]
    seeds = [unit.recipe.seed for file in files if (unit := read(file.read_bytes())).fault is None]
    if not seeds:
        raise SystemExit("no seed in these folders; name folders with .smt2 files")
    without = (Scope.EXPERIMENTAL,) if given.supported else ()
    rows = registry().limited(list(Kind), without)
    single, configured = settings(rows)
    half = given.executions // 2
    sides = {
        "before": [*dealt(seeds, single, given.executions)],
        "after": [*dealt(seeds, single, given.executions - half), *dealt(seeds, configured, half)],
    }
    found: dict[str, frozenset[tuple[str, int]]] = {}
    opened: list[list[object]] = [["", "executions", "lines beyond before"]]
    killed: list[list[object]] = [["killed", "executions", "deaths"]]
    for side, runs in sides.items():
        hits = np.zeros(len(edges.counters), bool)
        for run in runs:
            hit, deaths = reached(run, solving, edges)
            hits |= hit
            if deaths:
                killed.append([run.row, len(run.seeds), deaths])
            if run.row.startswith("configuration"):
                beyond = by_file(lines.reached(hit) - found["before"])
                opened.append([run.row, len(run.seeds), beyond.total()])
        found[side] = lines.reached(hits)
    both = found["before"] | found["after"]
    counts = [by_file(found["before"]), by_file(found["after"]), by_file(both)]
    rows_shown = table(measured, counts, by_file(excused(lines, functions, both)))
    low = [row for row in GUARDS if counts[-1][row[0]] < LOW * measured[row[0]]]
    print_table([["", "lines", "before", "after", "both", "of the rest"], *rows_shown])
    print_table(opened)
    print_table(killed)
    print_table([["stays low", "guarded by", "why"], *low])
    print_table([["functions never called", "who calls them"], *UNCALLED])
    write_json(given.json, {"files": rows_shown, "opened": opened[1:], "killed": killed[1:]})


if __name__ == "__main__":
    main()
