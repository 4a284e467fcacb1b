"""Measure scaling: workers, shared tables, seeds at start-up, cached units, steps of a chain, units in a merge.

python -m bench.speed.scaling                                  # all parts
python -m bench.speed.scaling --only chains
python -m bench.speed.scaling --only workers --workers 1,2,4 --seconds 100 --z3-library TRACED_BUILD
python -m bench.speed.scaling --only known --z3-library TRACED_BUILD
python -m bench.speed.scaling --only shared --workers 1,2,8    # tables that all workers read and write

Measured with a traced Z3 5.4.0.0 on corpus/, 90 seconds, each campaign with as many processors as workers:
`--workers=1` 20.0 solved mutants and 13.4 unique traces a second, `--workers=2` 36.6 and 22.7 (speedup 1.83),
`-fork=2` 19.8 and 12.7, `-jobs=2 -workers=2` 33.0 and 19.1. A cached unit takes 0.4 to 0.5 ms of processor time with
edges (means of 902 and of 1,663 units).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from chcfuzz.campaign.session import tallies
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker import outcomes
from chcfuzz.campaign.worker.outcomes import CachedOutcome, OutcomeTable
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.execution.cached_outcome import with_outcome
from chcfuzz.execution.flags import listed
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.recipe import Recipe, Step, Unit, canonical, decode, encode
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.edges import Edges
from chcfuzz.tracing.trace import make_trace

from bench.campaigns import CORPUS, SPACER, campaign, parser, print_table, write_json

Row = list[object]
FORK = multiprocessing.get_context("fork")
_TIMES = 4_000  # operations on a shared table, over all processes
SEEDS = sorted(CORPUS.rglob("*.smt2"))


@contextlib.contextmanager
def confined(number: int) -> Iterator[None]:
    """Limit processes that are started meanwhile to `number` processors."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:number])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def workers(numbers: Sequence[int] = (1, 2), seconds: int = 60, flags: Sequence[str] = ()) -> list[Row]:
    """Measure campaigns with each number of workers, and with libFuzzer's own two ways to run two workers.

    Each campaign has one processor per worker. The process that confirms suspicions shares them: with a processor of
    its own, it would favour the campaign with one worker.
    """
    head = [
        "",
        "solved",
        "a second",
        "speedup",
        "cached",
        "unique traces",
        "a second",
        "seconds",
        "solver's share",
    ]
    rows: list[Row] = [list[object](head)]
    single = 0.0
    ours = [(number, [f"--workers={number}"]) for number in numbers]
    for processors, way in (*ours, (2, ["-fork=2"]), (2, ["-jobs=2", "-workers=2"])):
        with confined(processors):
            measured = campaign([*way, *flags, f"-max_total_time={seconds}", "-seed=1"])
        rate, traces = measured["solved_per_second"], measured["unique_traces"]
        single = rate if way == ["--workers=1"] else single
        speedup = rate / single if single else "-"
        seconds_taken = measured["seconds"]
        rest = (measured["counters"]["repeated"], traces, traces / seconds_taken, seconds_taken)
        rows.append([" ".join(way), measured["solved"], rate, speedup, *rest, measured["solver_share"]])
    return rows


def start_up() -> list[Row]:
    """Measure the seconds until libFuzzer has read imported seeds, whose outcomes are cached."""
    from chcfuzz.execution.pipeline import Pipeline  # needs the Z3 that `main` has chosen

    pipeline = Pipeline(Solving())
    imported = []
    for path in SEEDS[:100]:
        recipe = canonical(Recipe(path.read_text()))
        outcome = pipeline.solve(pipeline.mutant(recipe).text, ())
        imported.append(with_outcome(recipe.seed, outcome, pipeline.setting))
    rows: list[Row] = [["imported seeds", "seconds", "seconds a thousand"]]
    for number in (100, 1_000, 10_000):
        with tempfile.TemporaryDirectory() as name:
            for i in range(number):
                text = imported[i % len(imported)].replace("(check-sat)", f'(set-info :source "{i}")\n(check-sat)')
                (Path(name) / f"{i}.smt2").write_text(text)
            seconds = campaign(["-runs=1", "-seed=1"], (Path(name),))["seconds"]
        rows.append([str(number), seconds, 1000 * seconds / number])
    return rows


def known(seconds: int = 60, flags: Sequence[str] = ()) -> list[Row]:
    """Measure the processor time, including libFuzzer's, of a unit that an earlier session has executed."""
    rows: list[Row] = [["", "cached units", "seconds", "ms for one more"]]
    few = [0.0, 0.0]
    for name, seeds, limit in (("a seed", SEEDS[:1], "-runs=3"), ("a corpus", SEEDS, f"-max_total_time={seconds}")):
        with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as folder:
            corpus, run, numbers = (Path(folder) / part for part in ("corpus", "run", "numbers.json"))
            corpus.mkdir()
            for number, seed in enumerate(seeds):
                (corpus / f"{number}.smt2").write_bytes(seed.read_bytes())
            _spacer(f"--run-dir={run}", "--second-opinion=0", "-seed=1", limit, *flags, str(corpus))
            spent = min(_spacer(f"--resume={run}", "-runs=1", f"--json={numbers}") for _ in range(3))
            units = json.loads(numbers.read_text())["counters"]["repeated"]
        rows.append([name, units, spent, 1000 * (spent - few[1]) / (units - few[0])])
        few = [units, spent]
    return rows


def _spacer(*arguments: str) -> float:
    """Run the fuzz target; return the processor seconds of the target and its processes."""
    before = _spent()
    subprocess.run([sys.executable, str(SPACER), *arguments], check=True, capture_output=True)
    return _spent() - before


def _spent() -> float:
    """Return the processor seconds of all children that have exited."""
    times = os.times()
    return times.children_user + times.children_system


def shared(numbers: Sequence[int] = (1, 2)) -> list[Row]:
    """Measure operations on shared tables by parallel processes: operations per second, and processor time of each.

    Writers give up after waiting for two seconds: an outcome that is not stored is computed again.

    An outcome is that of a unit that reaches 30,000 of 460,000 edges, as with a traced Z3. The last row of each number
    of processes is the supervisor alone, which reads the tables of that many workers.
    """
    rows: list[Row] = [["", "processes", "a second", "processor ms", "completed"]]
    for number in numbers:
        times = _TIMES // number
        with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as name:
            folder = Path(name)
            for operation_name, operation in _SHARED.items():
                start, before = time.perf_counter(), _spent()
                processes = [FORK.Process(target=operation, args=(folder, job, times)) for job in range(number)]
                for process in processes:
                    process.start()
                for process in processes:
                    process.join()
                    if process.exitcode:
                        raise RuntimeError(f"{operation.__name__} ended with exit code {process.exitcode}")
                took, spent = time.perf_counter() - start, _spent() - before
                done = sum(1 for _ in outcomes.everything(folder)) if operation is _put else number * times
                rows.append([operation_name, number, number * times / took, 1000 * spent / (number * times), done])
            for job in range(number):
                table = np.random.default_rng(job).integers(1, 1 << 60, (2, 1 << 15))
                table.tofile(folder / f"worker-{job}.tallies")
            start = time.perf_counter()
            for _ in range(10):
                tallies.totals(Session(folder))
            spent = (time.perf_counter() - start) / 10
            rows.append(["supervisor: add up the tallies of all workers", number, 1 / spent, 1000 * spent, 10])
    return rows


def _table(folder: Path) -> OutcomeTable:
    counters = np.zeros(460_000, np.uint8)
    drawn = np.random.default_rng(1)
    runs = drawn.integers(0, len(counters) // 10, 3_000) * 10  # reached edges are adjacent
    counters[np.add.outer(runs, np.arange(10)).ravel()] = drawn.integers(1, 30, 30_000)
    return OutcomeTable(folder, "a setting", Edges(counters, np.zeros((0, 2), np.uintp)))


def _put(folder: Path, job: int, times: int) -> None:
    table, trace = _table(folder), make_trace(np.arange(500, dtype=np.uint32), np.ones(500, np.uint16))
    for number in range(times):
        table.put(f"{job} {number}", CachedOutcome(b"", "a seed", Status.SAT, trace, 1))


def _get(folder: Path, job: int, times: int) -> None:
    table = _table(folder)
    for number in range(times):
        table.get(f"{job} {number}", number)


def _claim(folder: Path, job: int, times: int) -> None:
    session = Session(folder)
    for number in range(times):
        session.claims.claim(Unit(f"{job} {number}".encode()))


_SHARED: dict[str, Callable[[Path, int, int], None]] = {
    "store a unit's outcome": _put,
    "look up a unit's outcome": _get,
    "claim a unit, or a new trace": _claim,
}


def chains() -> list[Row]:
    """Measure the milliseconds to apply a chain of N steps from the seed, and one more step to a cached chain."""
    own = [row.id for row in registry().mutations if not row.id.startswith("simplify.")]
    choices = Choices(hashlib.shake_128(b"chains").digest(4096))
    steps = tuple(Step(choices.pick(own), bytes(choices.index(256) for _ in range(8))) for _ in range(101))
    recipes = [canonical(Recipe(path.read_text())) for path in SEEDS[::20]]
    rows: list[Row] = [["steps", "ms from the seed", "ms for one more"]]
    for number in (1, 10, 30, 100):
        whole = more = 0.0
        for recipe in recipes:
            applier = Chains(registry())
            start = time.perf_counter()
            applier.apply(Recipe(recipe.seed, steps[:number])).text  # noqa: B018  (printing is included)
            middle = time.perf_counter()
            applier.apply(Recipe(recipe.seed, steps[: number + 1])).text  # noqa: B018
            whole += middle - start
            more += time.perf_counter() - middle
        rows.append([str(number), 1000 * whole / len(recipes), 1000 * more / len(recipes)])
    return rows


def merges() -> list[Row]:
    """Measure the seconds to merge N units, most of them redundant."""
    small = sorted(SEEDS, key=lambda path: path.stat().st_size)[:40]
    rows: list[Row] = [["units", "seconds", "ms per unit", "kept"]]
    for number in (100, 1_000, 5_000, 20_000):
        with tempfile.TemporaryDirectory() as name:
            for i in range(number):
                recipe = canonical(decode(small[i % 40].read_bytes()))
                step = Step("names.rename-variable", i.to_bytes(4, "little"))
                (Path(name) / str(i)).write_bytes(encode(Recipe(recipe.seed, (step,))))
            start = time.perf_counter()
            merged = campaign(["-merge=1"], (Path(name),))
            seconds = time.perf_counter() - start
        rows.append([str(number), seconds, 1000 * seconds / number, merged["grown"]])
    return rows


PARTS: dict[str, Callable[[], list[Row]]] = {
    "workers": workers,
    "shared": shared,
    "start-up": start_up,
    "known": known,
    "chains": chains,
    "merges": merges,
}


def main() -> None:
    """Print a table for each part."""
    flags = parser(__doc__)
    flags.add_argument("--only", choices=sorted(PARTS), action="append", help="run this part only; may be repeated")
    flags.add_argument("--workers", type=listed, default=("1", "2"), metavar="N,N", help="(default: 1,2)")
    flags.add_argument(
        "--seconds",
        type=int,
        default=60,
        metavar="S",
        help="seconds of each campaign of `workers` and `known` (default: 60)",
    )
    flags.add_argument("--z3-library", metavar="DIR", help="traced build for these campaigns")
    given = flags.parse_args()
    Solving().activate()
    measured = {}

    library = [f"--z3-library={given.z3_library}"] if given.z3_library else []
    numbers = [int(number) for number in given.workers]
    campaigns = {
        "workers": lambda: workers(numbers, given.seconds, library),
        "shared": lambda: shared(numbers),
        "known": lambda: known(given.seconds, library),
    }
    for name in given.only or PARTS:
        measured[name] = campaigns.get(name, PARTS[name])()
        print_table(measured[name])
        print()
    write_json(given.json, measured)


if __name__ == "__main__":
    main()
