"""Measure the cost and the yield of every source of events, on the same systems.

python -m bench.speed.tracing                                      # corpus/, with the build in the script's cache
python -m bench.speed.tracing --corpus corpus --corpus imported    # files that do not hold a CHC system are skipped
python -m bench.speed.tracing --z3-library DIR --z3-library DIR    # builds, each compared with the wheel of its version

Cost: each variant has a process, and the processes solve every system in turn, so that a varying load of the machine
affects all of them. The time is the minimum of several repetitions of the processor time from a new context to the
complete trace; measure on an idle machine. Yield: each source executes the same mutants, created with a fixed seed; the
table shows the number of traces and of features (a counter in one of libFuzzer's eight classes).
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
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.execution.solving import DEFAULT_RLIMIT, LIBRARY_VARIABLE, Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.chain import Chains, Mutant
from chcfuzz.mutators.custom import Mutator
from chcfuzz.mutators.policy import POLICIES, Rows
from chcfuzz.mutators.recently_used import RecentlyUsed
from chcfuzz.mutators.recipe import Recipe, canonical, decode, encode, text_of
from chcfuzz.mutators.seeds import refusal
from chcfuzz.tracing.edges import NO_EDGES
from chcfuzz.tracing.libfuzzer_counters import Counters
from chcfuzz.tracing.trace import NOTHING, Trace
from numpy.typing import NDArray

from bench.campaigns import CORPUS, parser, print_table, write_json

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chcfuzz" / "z3-traced"
_WALL_SECONDS = 60.0
_MOST_BYTES = 1 << 20
_TEXT_TAGS = ("spacer", "dl_rule_transf")  # those that HornFuzz enabled
# A bit for each of libFuzzer's classes of counts: 0, 1, 2, 3, 4-7, 8-15, 16-31, 32-127, more.
_CLASS = np.zeros(256, np.uint8)
for _first, _bit in ((1, 1), (2, 2), (3, 4), (4, 8), (8, 16), (16, 32), (32, 64), (128, 128)):
    _CLASS[_first:] = _bit


@dataclass(frozen=True)
class Variant:
    """A Z3 and its source of events: "none", "log", "off", "on" or "text". `wheel` is the variant to compare with."""

    name: str
    version: str
    library: Path | None
    events: str
    wheel: str

    @property
    def solving(self) -> Solving:
        """Flags that choose this Z3."""
        installed = metadata.version("z3-solver") == self.version
        return Solving(z3=None if installed or self.library else self.version, z3_library=self.library)


def variants(builds: Iterable[Path]) -> list[Variant]:
    """Return the wheel of each build's version without and with its log, and the build with each source of events."""
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
    """Return the fields of a build's BUILD_INFO."""
    try:
        return dict(line.partition("=")[::2] for line in (build / "BUILD_INFO").read_text().splitlines())
    except OSError as error:
        raise SystemExit(f"no build in {str(build)!r}: {error.strerror}; make one with ./build_z3_traced.sh") from None


class NoEvents:
    """A source without events."""

    name = "none"
    edges = NO_EDGES

    def options(self) -> tuple[tuple[str, str], ...]:
        """Return no parameters."""
        return ()

    def recording(self) -> contextlib.AbstractContextManager[None]:
        """Do nothing."""
        return contextlib.nullcontext()

    def read(self) -> Trace:
        """Return the empty trace."""
        return NOTHING


class Features:
    """Features that a table of counters has shown so far."""

    def __init__(self, size: int) -> None:
        self._seen = np.zeros(size, np.uint8)

    def add(self, counters: NDArray[np.uint8]) -> None:
        """Add the counters of an execution."""
        self._seen |= _CLASS[counters]

    def __len__(self) -> int:
        return int(np.unpackbits(self._seen).sum())


def serve(connection: Connection, variant: Variant, rlimit: int) -> None:
    """Run the process of a variant: answer each request (text, parameters, whether to count) with its measurements.

    It runs in a temporary folder, because a build with text tracing creates `.z3-trace` in the current folder.
    """
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as folder, contextlib.chdir(folder):
        _serve(connection, variant, rlimit)


def _serve(connection: Connection, variant: Variant, rlimit: int) -> None:
    variant.solving.activate()
    # Imported here: both need the Z3 that was just chosen.
    from chcfuzz.domains.chc.solvers.spacer import Spacer
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
    return NoEvents()


def _trace_text() -> None:
    """Enable Z3's text traces, as HornFuzz did."""
    import z3

    for tag in _TEXT_TAGS:
        z3.enable_trace(tag)


class Solver:
    """A variant and its process."""

    def __init__(self, variant: Variant, rlimit: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.variant = variant
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, variant, rlimit), daemon=True)
        self._process.start()
        theirs.close()

    def solve(self, mutant: Mutant, counting: bool = False) -> tuple[str, float, tuple[int, int, int]]:
        """Return the answer, the seconds, and the numbers of traces, features and edge features so far."""
        try:
            self._ours.send((mutant.text, mutant.parameters, counting))
            answer: tuple[str, float, tuple[int, int, int]] = self._ours.recv()
        except (EOFError, OSError) as error:
            raise SystemExit(f"the process of {self.variant.name!r} died on this system:\n{mutant.script()}") from error
        return answer

    def end(self) -> None:
        """End the process."""
        self._ours.send(None)
        self._process.join()


def systems(folders: Iterable[Path], most: int) -> list[Recipe]:
    """Return at most `most` systems, spread over the folders; skip large files and files without a CHC system."""
    files = [file for folder in folders for file in sorted(folder.rglob("*.smt2"))]
    small = [file for file in files if file.stat().st_size <= _MOST_BYTES]
    chosen = small[:: max(1, len(small) // most)][:most]
    texts = (text_of(file.read_bytes()) for file in chosen)
    return [canonical(Recipe(text)) for text in texts if text is not None and refusal(text, "unit") is None]


def mutants(seeds: Sequence[Recipe], number: int) -> list[Mutant]:
    """Return a deterministic list of mutants: each is one mutation away from a seed or an earlier mutant."""
    chains = Chains(registry())
    own = RecentlyUsed(len(seeds), (seed.seed for seed in seeds))
    mutator = Mutator(chains, POLICIES["equal"](Rows.of(registry())), (), own)
    units = [encode(seed) for seed in seeds]
    made = []
    for i in range(number):
        choices = Choices(i.to_bytes(8, "little") * 4)
        units.append(mutator.mutate(choices.pick(units), _MOST_BYTES, i))
        made.append(chains.apply(canonical(decode(units[-1]))))
    return made


def costs(solvers: Sequence[Solver], solved: Sequence[Mutant], repeats: int) -> dict[str, list[tuple[str, float]]]:
    """Return each variant's answers and minimum times; systems with a timeout in any variant are left out."""
    least = {solver.variant.name: [("", float("inf"))] * len(solved) for solver in solvers}
    for repeat in range(repeats):
        for i, mutant in enumerate(solved):
            turn = (i + repeat) % len(solvers)  # the first variant changes
            for solver in (*solvers[turn:], *solvers[:turn]):
                status, seconds, _ = solver.solve(mutant)
                row = least[solver.variant.name]
                row[i] = (status, min(seconds, row[i][1]))
    ended = {i for row in least.values() for i, (status, _) in enumerate(row) if status == "hang"}
    return {name: [each for i, each in enumerate(row) if i not in ended] for name, row in least.items()}


def cost_rows(solvers: Sequence[Solver], measured: dict[str, list[tuple[str, float]]]) -> list[list[object]]:
    """Return a row for each variant: its time, and its ratio to the wheel of its version."""
    rows: list[list[object]] = [["variant", "seconds", "total, wheel = 1", "geometric mean", "90 %", "other answers"]]
    for solver in solvers:
        name, wheel = solver.variant.name, measured[solver.variant.wheel]
        pairs = list(zip(measured[name], wheel, strict=True))
        ratios = [own / other for (_, own), (_, other) in pairs]
        seconds, reference = (sum(seconds for _, seconds in row) for row in (measured[name], wheel))
        tenth = statistics.quantiles(ratios, n=10)[-1] if len(ratios) > 1 else ratios[0]
        differing = sum(own != other for (own, _), (other, _) in pairs)
        rows.append([name, seconds, seconds / reference, statistics.geometric_mean(ratios), tenth, differing])
    return rows


def yield_rows(solvers: Sequence[Solver], executed: Sequence[Mutant]) -> list[list[object]]:
    """Return a row for each source of events: its yield over all executions."""
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
    """Return a row for each library: its size, and the time to build it if it was built here."""
    rows: list[list[object]] = [["library", "MB", "processor minutes to compile"]]
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
    """Print the cost of each variant, the yield of each source, and the sizes of the libraries."""
    flags = parser(__doc__)
    flags.add_argument("--z3-library", type=Path, action="append", metavar="DIR", help="a build of build_z3_traced.sh")
    flags.add_argument("--corpus", action="append", type=Path, metavar="DIR", help="instead of corpus/")
    flags.add_argument("--systems", type=int, default=10_000, metavar="N", help="at most N systems (default: all)")
    flags.add_argument("--repeats", type=int, default=5, metavar="N", help="(default: %(default)s)")
    flags.add_argument(
        "--mutants", type=int, default=1000, metavar="N", help="number of mutants for the yield (default: %(default)s)"
    )
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
        tables.append(yield_rows(solvers, mutants(seeds, given.mutants)))
    for solver in solvers:
        solver.end()
    tables.append(library_rows(found))
    print(f"{len(solved)} systems, {given.repeats} repetitions")
    for table in tables:
        print()
        print_table(table)
    write_json(given.json, {"systems": len(solved), "times": measured, "tables": tables})


if __name__ == "__main__":
    main()
