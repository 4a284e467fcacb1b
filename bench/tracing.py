"""What watching the solver costs, and what it shows: every source of events on the same systems, in turn.

python bench/tracing.py                                     # corpus/, with the build in the script's cache
python bench/tracing.py --corpus corpus --corpus imported   # files that are no CHC systems are left out
python bench/tracing.py --z3-library DIR --z3-library DIR   # builds, each beside the wheel of its version

Costs: a process for each variant; they solve system after system in turn, so that all share the moods of the machine.
Counted is processor time from a new context to the trace that was read, the least of several repetitions. A quiet
machine is needed all the same. Sights: the same mutants, made once with a fixed seed, for each source; how many traces
and features (a counter in one of libFuzzer's eight classes) they show.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from campaigns import CORPUS, parser, print_table, write_json
from chcfuzz.execution.solving import DEFAULT_RLIMIT, LIBRARY_VARIABLE, Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.chain import Chains, Mutant
from chcfuzz.mutators.custom import Mutator
from chcfuzz.mutators.policy import POLICIES, Rows
from chcfuzz.mutators.recently_used import Pool
from chcfuzz.mutators.recipe import Recipe, canonical, decode, encode, text_of
from chcfuzz.mutators.registry import registry
from chcfuzz.mutators.seeds import refusal
from chcfuzz.tracing.counters import Counters
from chcfuzz.tracing.edges import NO_EDGES
from chcfuzz.tracing.trace import NOTHING, Trace
from numpy.typing import NDArray

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chcfuzz" / "z3-traced"
_WALL_SECONDS = 60.0
_MOST_BYTES = 1 << 20
_TEXT_TAGS = ("spacer", "dl_rule_transf")  # what HornFuzz turned on
# A bit for each of libFuzzer's classes of counts: 0, 1, 2, 3, 4-7, 8-15, 16-31, 32-127, more.
_CLASS = np.zeros(256, np.uint8)
for _first, _bit in ((1, 1), (2, 2), (3, 4), (4, 8), (8, 16), (16, 32), (32, 64), (128, 128)):
    _CLASS[_first:] = _bit


@dataclass(frozen=True)
class Variant:
    """A Z3 and how it is watched: not at all ("none"), or "log", "off", "on", "text". `wheel` names its yardstick."""

    name: str
    version: str
    library: Path | None
    events: str
    wheel: str

    @property
    def solving(self) -> Solving:
        """Which Z3 that is."""
        installed = metadata.version("z3-solver") == self.version
        return Solving(z3=None if installed or self.library else self.version, z3_library=self.library)


def variants(builds: Iterable[Path]) -> list[Variant]:
    """The wheel of each build's version, without and with its log, and the build in each way it can be watched."""
    found: dict[str, Variant] = {}
    for build in builds:
        info = build_info(build)
        version, profile = info["version"], info["profile"]
        wheel = f"wheel {version}"
        ways = ["text"] if profile == "text" else ["off", "on"]
        rows: list[tuple[str, Path | None, str]] = [(wheel, None, "none"), (f"{wheel}, progress log", None, "log")]
        rows += [(f"{profile} build {version}, events {way}", build.absolute(), way) for way in ways]
        found |= {name: Variant(name, version, library, events, wheel) for name, library, events in rows}
    return list(found.values())


def build_info(build: Path) -> dict[str, str]:
    """What the build script noted of a build."""
    try:
        return dict(line.partition("=")[::2] for line in (build / "BUILD_INFO").read_text().splitlines())
    except OSError as error:
        raise SystemExit(f"no build in {str(build)!r}: {error.strerror}; make one with ./build_z3_traced.sh") from None


class Silence:
    """No events at all."""

    name = "none"
    edges = NO_EDGES

    def options(self) -> tuple[tuple[str, str], ...]:
        """No parameter."""
        return ()

    def reset(self) -> None:
        """Nothing to forget."""

    def read(self) -> Trace:
        """The empty trace."""
        return NOTHING


class Features:
    """Which features a row of counters has shown so far."""

    def __init__(self, size: int) -> None:
        self._seen = np.zeros(size, np.uint8)

    def add(self, counters: NDArray[np.uint8]) -> None:
        """Take note of an execution's counters."""
        self._seen |= _CLASS[counters]

    def __len__(self) -> int:
        return int(np.unpackbits(self._seen).sum())


def serve(connection: Connection, variant: Variant, rlimit: int) -> None:
    """The process of a variant: answers each (text, parameters, whether to count) with what it saw.

    In a folder of its own: a build with text tracing opens `.z3-trace` in the current one as soon as it is loaded.
    """
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as folder, contextlib.chdir(folder):
        _serve(connection, variant, rlimit)


def _serve(connection: Connection, variant: Variant, rlimit: int) -> None:
    variant.solving.activate()
    # Only now: both need the Z3 that was just chosen.
    from chcfuzz.solvers.spacer import Spacer
    from chcfuzz.solvers.watchdog import Watchdog

    source = _source(variant)
    spacer = Spacer(source, Watchdog(_WALL_SECONDS))
    counters, traces = Counters(), set()
    ours, native = Features(len(counters.counters)), Features(len(source.edges.counters))
    while (request := connection.recv()) is not None:
        text, parameters, counting = request
        source.edges.clear()
        start = time.process_time()
        outcome = spacer.solve(text, parameters, rlimit)
        seconds = time.process_time() - start
        status = outcome.status
        if counting and status.is_decided:
            counters.clear()
            counters.record(outcome.trace, 1 if status.value == "sat" else 2)
            ours.add(counters.counters)
            native.add(source.edges.counters)
            traces.add(outcome.trace.hash)
        shown = (len(traces), len(ours), len(native)) if counting else (0, 0, 0)
        connection.send((status.value, seconds, shown))
        del outcome


def _source(variant: Variant) -> Any:
    from chcfuzz.execution.pipeline import event_source
    from chcfuzz.tracing.traced_library import TracedLibrary

    if variant.events in ("log", "on"):
        return event_source(variant.solving)
    if variant.events == "off":
        assert variant.library is not None
        return TracedLibrary(variant.library / "lib" / "libz3.so", tags=())
    if variant.events == "text":
        _trace_text()
    return Silence()


def _trace_text() -> None:
    """Have Z3 print its steps, as HornFuzz did."""
    import z3

    for tag in _TEXT_TAGS:
        z3.enable_trace(tag)


class Solver:
    """A variant in its process."""

    def __init__(self, variant: Variant, rlimit: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.variant = variant
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, variant, rlimit), daemon=True)
        self._process.start()
        theirs.close()

    def solve(self, mutant: Mutant, counting: bool = False) -> tuple[str, float, tuple[int, int, int]]:
        """The answer, the seconds, and the numbers of traces, features and edge features that counting has shown."""
        try:
            self._ours.send((mutant.text, mutant.parameters, counting))
            answer: tuple[str, float, tuple[int, int, int]] = self._ours.recv()
        except (EOFError, OSError) as error:
            raise SystemExit(f"the process of {self.variant.name!r} died of this system:\n{mutant.script()}") from error
        return answer

    def leave(self) -> None:
        """The process has ended."""
        self._ours.send(None)
        self._process.join()


def systems(folders: Iterable[Path], most: int) -> list[Recipe]:
    """At most so many of the folders' systems, taken evenly; larger files and what is no CHC system are left out."""
    files = [file for folder in folders for file in sorted(folder.rglob("*.smt2"))]
    small = [file for file in files if file.stat().st_size <= _MOST_BYTES]
    chosen = small[:: max(1, len(small) // most)][:most]
    texts = (text_of(file.read_bytes()) for file in chosen)
    return [canonical(Recipe(text)) for text in texts if text is not None and refusal(text, "unit") is None]


def mutants(seeds: Sequence[Recipe], number: int) -> list[Mutant]:
    """Always the same mutants of these seeds: each is one mutation away from a seed or an earlier one."""
    chains = Chains(registry())
    own = Pool(len(seeds), (seed.seed for seed in seeds))
    mutator = Mutator(chains, POLICIES["equal"](Rows.of(registry())), (), own)
    units = [encode(seed) for seed in seeds]
    made = []
    for i in range(number):
        choices = Choices(i.to_bytes(8, "little") * 4)
        units.append(mutator.mutate(choices.pick(units), _MOST_BYTES, i))
        made.append(chains.apply(canonical(decode(units[-1]))))
    return made


def costs(solvers: Sequence[Solver], solved: Sequence[Mutant], repeats: int) -> dict[str, list[tuple[str, float]]]:
    """For each variant the answer to each system and the least of its times; without what a clock ended."""
    least = {solver.variant.name: [("", float("inf"))] * len(solved) for solver in solvers}
    for repeat in range(repeats):
        for i, mutant in enumerate(solved):
            turn = (i + repeat) % len(solvers)  # nobody is always the first
            for solver in (*solvers[turn:], *solvers[:turn]):
                status, seconds, _ = solver.solve(mutant)
                row = least[solver.variant.name]
                row[i] = (status, min(seconds, row[i][1]))
    ended = {i for row in least.values() for i, (status, _) in enumerate(row) if status == "hang"}
    return {name: [each for i, each in enumerate(row) if i not in ended] for name, row in least.items()}


def cost_rows(solvers: Sequence[Solver], measured: dict[str, list[tuple[str, float]]]) -> list[list[object]]:
    """A row for each variant: its time, and how it compares with the wheel of its version."""
    rows: list[list[object]] = [
        ["variant", "seconds", "in all, wheel = 1", "geometric mean", "one system in ten above", "other answers"]
    ]
    for solver in solvers:
        name, wheel = solver.variant.name, measured[solver.variant.wheel]
        pairs = list(zip(measured[name], wheel, strict=True))
        ratios = [own / other for (_, own), (_, other) in pairs]
        seconds, reference = (sum(seconds for _, seconds in row) for row in (measured[name], wheel))
        tenth = statistics.quantiles(ratios, n=10)[-1] if len(ratios) > 1 else ratios[0]
        differing = sum(own != other for (own, _), (other, _) in pairs)
        rows.append([name, seconds, seconds / reference, statistics.geometric_mean(ratios), tenth, differing])
    return rows


def sight_rows(solvers: Sequence[Solver], executed: Sequence[Mutant]) -> list[list[object]]:
    """A row for each source of events: what it showed in all these executions."""
    head = f"in {len(executed)} executions"
    rows: list[list[object]] = [[head, "decided", "unique traces", "features of the trace", "features of edges"]]
    for solver in solvers:
        if solver.variant.events not in ("log", "on"):
            continue
        seen = [solver.solve(mutant, counting=True) for mutant in executed]
        decided = sum(status in ("sat", "unsat") for status, _, _ in seen)
        rows.append([solver.variant.name, *(f"{number:,}" for number in (decided, *seen[-1][2]))])
    return rows


def library_rows(found: Iterable[Variant]) -> list[list[object]]:
    """A row for each library: its size, and what building it took where we did."""
    rows: list[list[object]] = [["library", "MB", "minutes of compiling, one file at a time"]]
    for variant in found:
        if variant.events == "none":
            rows.append([variant.name, _megabytes(_wheel_library(variant)), ""])
        elif variant.events in ("on", "text"):
            assert variant.library is not None
            seconds = build_info(variant.library).get("compile_seconds")
            minutes: object = int(seconds) / 60 if seconds else ""
            rows.append([str(variant.library.name), _megabytes(variant.library / "lib" / "libz3.so"), minutes])
    return rows


def _megabytes(file: Path) -> float:
    return file.stat().st_size / 1e6


def _wheel_library(variant: Variant) -> Path:
    if metadata.version("z3-solver") == variant.version:
        return Path(str(metadata.distribution("z3-solver").locate_file("z3/lib/libz3.so")))
    return _CACHE.parent / "z3" / variant.version / "z3" / "lib" / "libz3.so"


def _default_builds() -> list[Path]:
    named = os.environ.get(LIBRARY_VARIABLE)
    return [Path(named) if named else _CACHE / f"{metadata.version('z3-solver')}-trace"]


def main() -> None:
    """Print what each variant costs, what each source shows, and how large the libraries are."""
    flags = parser(__doc__)
    flags.add_argument("--z3-library", type=Path, action="append", metavar="DIR", help="what build_z3_traced.sh made")
    flags.add_argument("--corpus", action="append", type=Path, metavar="DIR", help="instead of corpus/")
    flags.add_argument("--systems", type=int, default=10_000, metavar="N", help="at most, taken evenly (default: all)")
    flags.add_argument("--repeats", type=int, default=5, metavar="N", help="(default: %(default)s)")
    flags.add_argument("--mutants", type=int, default=1000, metavar="N", help="for the sights (default: %(default)s)")
    flags.add_argument("--rlimit", type=int, default=DEFAULT_RLIMIT, metavar="N", help="(default: %(default)s)")
    given = flags.parse_args()
    found = variants(given.z3_library or _default_builds())
    Solving().activate()  # mutations may rewrite with the installed Z3
    seeds = systems(given.corpus or [CORPUS], given.systems)
    chains = Chains(registry())
    solved = [chains.apply(seed) for seed in seeds]
    solvers = [Solver(variant, given.rlimit) for variant in found]
    measured = costs(solvers, solved, given.repeats)
    tables = [cost_rows(solvers, measured)]
    if given.mutants:
        tables.append(sight_rows(solvers, mutants(seeds, given.mutants)))
    for solver in solvers:
        solver.leave()
    tables.append(library_rows(found))
    print(f"{len(solved)} systems, {given.repeats} repetitions")
    for table in tables:
        print()
        print_table(table)
    write_json(given.json, {"systems": len(solved), "times": measured, "tables": tables})


if __name__ == "__main__":
    main()
