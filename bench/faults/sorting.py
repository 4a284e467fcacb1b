"""Try each fault on seeds that reach it, and sort the faults by what they do.

python -m bench.faults.sorting --z3-library FOLDER --into faults           # stop and start again at any time
python -m bench.faults.sorting --z3-library FOLDER --into faults corpus units  # with those of bench.faults.units

FOLDER is what `bench.faults.build` prints. First every unit runs without a fault, which shows what sites it reaches
(DIR/reach.jsonl); then each fault runs on at most `TRIES` units that reach it (DIR/sorted.jsonl). The states:

| state | meaning |
| --- | --- |
| unreached | no unit reaches the site |
| silent | reached, and trace, cost and answer stay the same |
| costs | only the cost changes |
| noticed | a unit dies, does not end, or gets a wrong answer or a wrong model |
| rare | the same, but at most one in three of the tried units notices |
| stubborn | the trace or an undecided answer changes, and no unit notices |

A fault that is reached in a loop may never end: a unit has `SECONDS` of a clock, which is four times what the slowest
unit needs without a fault, and after `HANGS` such units no more are tried. Takes half an hour for two thousand faults.
"""

from __future__ import annotations

import argparse
import enum
import hashlib
import itertools
import os
import select
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.recipe import Recipe, encode, read
from chcfuzz.solvers.process import die_with_parent
from msgspec import structs

from bench.campaigns import CORPUS, ResultFile, alone, print_table, run_as_program
from bench.faults.build import LIST, read_faults
from bench.faults.sites import Site

if TYPE_CHECKING:
    from chcfuzz.execution.pipeline import Execution

TRIES = 30
RARE = 3  # units for each that notices, at least
SECONDS = 8.0
HANGS = 3  # of the units on which a fault is tried
RLIMIT = 200_000  # of a unit: half of the seeds need less than a tenth of it
SOLVER = "bench.faults.solver:fault_{}"
ANSWER = "another-answer"
UNITS = "units.sha256"
_RAISED = 1  # exit code of a child after an exception


class State(enum.StrEnum):
    """The effect of a fault on the units that reach it, from none to an error."""

    UNREACHED = "unreached"
    SILENT = "silent"
    COSTS = "costs"
    STUBBORN = "stubborn"
    RARE = "rare"
    NOTICED = "noticed"


class Seen(msgspec.Struct, frozen=True):
    """A run of a unit: `finding` is its kind, "death", "clock" or `ANSWER`, or two with a comma; empty without one."""

    status: str
    trace: str
    cost: int
    finding: str = ""


class Reach(msgspec.Struct, frozen=True):
    """A unit without a fault: its run, and the faults whose sites it reaches."""

    unit: str
    seen: Seen
    faults: tuple[int, ...]


class Sorted(msgspec.Struct, frozen=True):
    """The state of a fault. `units` are those that reach it; `noticing` of the `tried` ones notice it.

    The first of these is in `by`. The others are `clean`, and `changed` of them got another trace.
    """

    fault: int
    state: State
    units: int
    tried: int = 0
    changed: int = 0
    by: str = ""
    noticing: int = 0
    clean: tuple[str, ...] = ()


@dataclass(frozen=True)
class Bench:
    """The units by name, and the flags of the runs."""

    units: Mapping[str, Recipe]
    library: Path

    def runs(self, fault: int, names: Sequence[str]) -> Generator[tuple[str, Seen, tuple[int, ...]]]:
        """Yield each unit with its run and the sites that it reaches. A child runs them; after a death, a new one."""
        waiting = list(names)
        while waiting:
            child, stream = self._child(fault, waiting)
            try:
                for line in _lines(stream):
                    yield waiting.pop(0), *msgspec.json.decode(line, type=tuple[Seen, tuple[int, ...]])
            finally:
                os.close(stream)
                os.kill(child, signal.SIGKILL)
                code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if code == _RAISED and not fault:
                raise RuntimeError(f"{waiting[0]} raised what is printed above, without a fault")
            if waiting:
                yield waiting.pop(0), Seen("", "", 0, "clock" if code == -signal.SIGKILL else "death"), ()

    def _child(self, fault: int, names: Sequence[str]) -> tuple[int, int]:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                die_with_parent()  # a fault may be an endless loop
                os.close(reading)
                self._run(fault, names, writing)
            finally:  # after an exception: `_run` ends the process
                if not fault:  # a fault may make any object wrong
                    traceback.print_exc()
                os._exit(_RAISED)
        os.close(writing)
        return child, reading

    def _run(self, fault: int, names: Sequence[str], into: int) -> None:
        run = self.runner(fault)
        for name in names:
            execution, reached = run(self.units[name])
            outcome, finding = execution.outcome, execution.finding
            kind = "" if finding is None else finding.kind.value
            seen = Seen(outcome.status.value, f"{outcome.trace.hash:016x}", outcome.cost, kind)
            os.write(into, msgspec.json.encode((seen, reached)) + b"\n")
        os._exit(0)

    def runner(self, fault: int) -> Callable[[Recipe], tuple[Execution, tuple[int, ...]]]:
        """Return a function that executes units under a fault in this process, and returns the sites they reach."""
        from chcfuzz.execution.pipeline import Pipeline, event_source

        from bench.faults.solver import Switch

        solving = self.solving(fault)
        pipeline, switch = Pipeline(solving, events=event_source(solving)), Switch()

        def run(unit: Recipe) -> tuple[Execution, tuple[int, ...]]:
            mutant = pipeline.mutant(unit)
            switch.clear()
            return pipeline.execute(mutant, second=False), switch.reached()

        return run

    def warm_up(self) -> None:
        """Do once what each child would do first, which takes as long as twenty units. Solves nothing."""
        solving = self.solving(0)
        solving.activate()
        from chcfuzz.execution.pipeline import Pipeline, event_source

        pipeline = Pipeline(solving, events=event_source(solving))
        for unit in itertools.islice(self.units.values(), 1):
            pipeline.mutant(unit)

    def is_usable(self, seen: Seen) -> bool:
        """Return whether a unit that runs so without a fault may show one."""
        return not seen.finding

    def solving(self, fault: int) -> Solving:
        """Return the flags of runs under a fault."""
        return Solving(solver=SOLVER.format(fault), z3_library=self.library, rlimit=RLIMIT, second_opinion=0)


def _lines(stream: int) -> Iterator[bytes]:
    """Yield the lines that a child writes, until it ends or is silent for too long."""
    rest = b""
    while select.select([stream], [], [], SECONDS)[0] and (piece := os.read(stream, 1 << 20)):
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines


def sorted_fault(fault: int, units: int, before: Mapping[str, Seen], after: Mapping[str, Seen]) -> Sorted:
    """Return the state of a fault that `units` units reach, by runs of some of them without and with it."""
    noticing = [unit for unit, seen in after.items() if seen.finding and not before[unit].finding]
    clean = tuple(unit for unit in after if unit not in noticing)
    changed = [unit for unit in clean if after[unit].trace != before[unit].trace]
    state, by = State.UNREACHED if not after else State.SILENT, ""
    if noticing:
        state = State.RARE if len(noticing) * RARE <= len(after) else State.NOTICED
        by = f"{after[noticing[0]].finding} of {noticing[0]}"
    elif differing := [unit for unit in clean if unit in changed or after[unit].status != before[unit].status]:
        state, by = State.STUBBORN, differing[0]
    elif differing := [unit for unit in clean if after[unit].cost != before[unit].cost]:
        state, by = State.COSTS, differing[0]
    return Sorted(fault, state, units, len(after), len(changed), by, len(noticing), clean)


def tried(fault: int, units: Iterable[str], tries: int = TRIES) -> list[str]:
    """Return the units on which a fault is tried, in an order of its own."""

    def order(unit: str) -> str:
        return hashlib.sha256(f"{fault}:{unit}".encode()).hexdigest()

    return sorted(units, key=order)[:tries]


def sort(bench: Bench, fault: int, reaching: Mapping[str, Seen]) -> Sorted:
    """Try a fault on some of the units that reach it, given with their runs without it, and return its state."""
    return sorted_fault(fault, len(reaching), reaching, runs_with(bench, fault, reaching))


def runs_with(
    bench: Bench, fault: int, reaching: Mapping[str, Seen], tries: int = TRIES, most_hangs: int = HANGS
) -> dict[str, Seen]:
    """Return the runs under a fault of some of the units that reach it, until many of them notice it, or hang.

    `reaching` has their runs without the fault. The promise of a unit is not known here, so another decided answer than
    that of the other run is a finding of its own kind, `ANSWER`; after the kind of another finding, it follows a comma.
    """
    after: dict[str, Seen] = {}
    hangs = noticing = 0
    with closing(bench.runs(fault, tried(fault, reaching, tries))) as runs:
        for unit, run, _ in runs:
            kinds = [run.finding, ANSWER if _contradicts(reaching[unit], run) else ""]
            after[unit] = seen = structs.replace(run, finding=", ".join(filter(None, kinds)))
            hangs += seen.finding == "clock"
            noticing += bool(seen.finding)
            if hangs == most_hangs or noticing * RARE > tries:
                break
    return after


def _contradicts(before: Seen, after: Seen) -> bool:
    return [before.status, after.status] in (["sat", "unsat"], ["unsat", "sat"])


def check_build(folder: Path, build: Path, faults: Iterable[int]) -> None:
    """Raise `UsageError` if the faults in a folder of results are not those of this build.

    Sorting copies the list of the build into its folder; folders of earlier versions lack it.
    """
    own, copy = (build / LIST).read_bytes(), folder / LIST
    number = len(own.splitlines())
    if (copy.exists() and copy.read_bytes() != own) or any(not 0 < fault <= number for fault in faults):
        problem = f"the faults in {str(folder)!r} are those of another build than {str(build)!r}, which has {number}"
        raise UsageError(f"{problem}; name their build, or sort those of this one into another folder")


def check_units(folder: Path, units: Iterable[Recipe]) -> None:
    """Raise `UsageError` if the states in a folder are those of other units; without their digest, write it."""
    contents = sorted(hashlib.sha256(encode(unit)).hexdigest() for unit in units)
    digest = hashlib.sha256("".join(contents).encode()).hexdigest().encode()
    file = folder / UNITS
    if not file.exists():
        write_whole(file, digest)
    elif file.read_bytes() != digest:
        raise UsageError(
            f"the states in {str(folder)!r} are those of other units; name their folders, or another --into"
        )


def read_units(folders: Sequence[Path]) -> dict[str, Recipe]:
    """Return the units of folders, by their paths; other files are left out."""
    return units_of(file for folder in folders for file in sorted(folder.rglob("*")) if file.is_file())


def units_of(files: Iterable[Path]) -> dict[str, Recipe]:
    """Return the units in files, by their paths; other files are left out."""
    units = {str(file): read(file.read_bytes()) for file in files}
    return {name: unit.recipe for name, unit in units.items() if unit.fault is None}


def table(found: Sequence[Sorted], faults: Sequence[Site]) -> list[list[object]]:
    """Return the number of faults in each state, by folder and by operator."""
    rows: list[list[object]] = [["", *State]]
    sites = [(each, faults[each.fault - 1]) for each in found]
    for key in (lambda _: "all", lambda site: site.file.rpartition("/")[0], lambda site: site.operator):
        groups: dict[str, Counter[State]] = {}
        for each, site in sites:
            groups.setdefault(key(site), Counter())[each.state] += 1
        rows += [[group, *(counts[state] for state in State)] for group, counts in sorted(groups.items())]
    return rows


def build_flags(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the flags of programs that run a build with faults."""
    flags = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--z3-library", type=Path, required=True, metavar="DIR", help="a build with faults")
    flags.add_argument("--into", type=Path, required=True, metavar="DIR", help="results, and run folders of campaigns")
    return flags


def sorted_flags(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the flags of programs that need the states of the faults, too."""
    flags = build_flags(description)
    flags.add_argument("--sorted", type=Path, required=True, metavar="DIR", help="results of bench.faults.sorting")
    return flags


def main() -> None:
    """Measure what is missing, and print the table."""
    flags = build_flags(__doc__)
    flags.add_argument("corpora", nargs="*", type=Path, metavar="DIR", help="folders of units (default: corpus/)")
    flags.add_argument("--jobs", type=positive, default=1, metavar="N", help="faults at once (default: %(default)s)")
    given = flags.parse_args()
    faults = read_faults(given.z3_library)
    bench = Bench(read_units(given.corpora or [CORPUS]), given.z3_library)
    bench.warm_up()
    with alone(given.into):
        found = measured(bench, range(1, len(faults) + 1), given.into, given.jobs)
    print_table(table([found[fault] for fault in sorted(found)], faults))


def measured(bench: Bench, faults: Sequence[int], into: Path, jobs: int) -> dict[int, Sorted]:
    """Return the states of these faults, and of those that the folder has from an earlier run."""
    reach_file, sorted_file = ResultFile(into / "reach.jsonl", Reach), ResultFile(into / "sorted.jsonl", Sorted)
    reach, found = reach_file.read(), {each.fault: each for each in sorted_file.read()}
    check_build(into, bench.library, [*found, *(fault for each in reach for fault in each.faults)])
    check_units(into, bench.units.values())
    write_whole(into / LIST, (bench.library / LIST).read_bytes())
    known = {each.unit for each in reach}
    for unit, seen, reached in bench.runs(0, [name for name in bench.units if name not in known]):
        reach.append(Reach(unit, seen, reached))
        reach_file.add(reach[-1])
    usable = [each for each in reach if each.unit in bench.units and bench.is_usable(each.seen)]
    print(f"{len(usable)} of {len(reach)} units are right without a fault", file=sys.stderr, flush=True)
    if not usable:
        raise UsageError("no unit of these folders can show a fault; name others, and another --into")
    reaching: dict[int, dict[str, Seen]] = {fault: {} for fault in faults}
    for each in usable:
        for fault in reaching.keys() & each.faults:
            reaching[fault][each.unit] = each.seen
    missing = [fault for fault in reaching if fault not in found]
    with ProcessPoolExecutor(jobs, initializer=die_with_parent) as pool:
        waiting = [pool.submit(sort, bench, fault, reaching[fault]) for fault in missing]
        for result in map(Future.result, as_completed(waiting)):
            found[result.fault] = result
            sorted_file.add(result)
    return found


if __name__ == "__main__":
    run_as_program(main)
