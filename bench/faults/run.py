"""Measure how much work campaigns need until they notice a fault that their seeds do not, and compare campaigns.

python -m bench.faults.run --z3-library FOLDER --sorted faults --into DIR --jobs 2
python -m bench.faults.run ... --arm default= --arm 'no-feedback=--features=answers' --number 50 --trials 2
python -m bench.faults.run ... --state stubborn  # faults that no unit of the sorting noticed, instead of rare ones
python -m bench.faults.run ... --apart  # the third that is kept apart: only for tables that are published

FOLDER is a build of `bench.faults.build`, and `--sorted` the folder that `bench.faults.sorting` wrote. A trial is a
campaign of one worker, with `--mutants` mutants, on seeds that reach a fault and do not notice it. A *kill* is its
first confirmed finding whose recipe gives none without the fault; without a kill, the trial is censored. `solver_work`
is the solver's resource count until then, and does not depend on the machine. `--stop-at-first=finding` in an arm saves
the time after the kill, and censors a trial at a finding that is there without the fault, too. DIR/kills.jsonl has a
line for each trial. An interrupted run continues. Takes 10 to 20 seconds a trial, and a minute where all steps are
judged: two hours for 150 faults, two arms and two trials.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.execution.domain import load
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.experiments.trials import Runner, Trials
from chcfuzz.mutators.mutation import Scope
from chcfuzz.mutators.recipe import read
from chcfuzz.triage.findings.record import FolderName
from chcfuzz.triage.findings.store import finding_folders

from bench.campaigns import (
    ROOT,
    SPACER,
    ResultFile,
    add_numbers,
    alone,
    arms_of,
    named_flags,
    print_table,
    run_as_program,
)
from bench.faults.build import read_faults
from bench.faults.hazard import hazard_rows
from bench.faults.sites import Site
from bench.faults.sorting import RLIMIT, SOLVER, Sorted, State, check_build, sorted_flags

SEEDS = 12  # of a corpus
_MEASURES = ("executions", "solver_work")
_REPLAY = "import sys; from chcfuzz.commands.main import main; sys.exit(main())"


class Trial(msgspec.Struct, frozen=True):
    """A campaign that has ended: the numbers at its first kill, which is of this `kind`, or at its end without one.

    `others` counts the findings that are there without the fault, too.
    """

    arm: str
    fault: int
    seed: int
    at: Mapping[str, float]
    kind: str = ""
    others: int = 0

    @property
    def work(self) -> float:
        """Resource units until the kill, or of the whole trial."""
        return self.at["solver_work"]

    @property
    def is_kill(self) -> bool:
        """Whether the fault was noticed."""
        return bool(self.kind)


@dataclass(frozen=True)
class FaultTrials(Trials):
    """The trials of an arm on a fault."""

    arm: str
    fault: int
    library: Path

    def command(self, seed: int) -> list[str]:
        """Return the command line of a trial, which writes its summary beside its run folder."""
        own = [f"--run-dir={self.path(seed)}", f"-seed={seed}", "--quiet", f"--json={self.summary(seed)}"]
        return [sys.executable, str(SPACER), *own, *self.words]

    def summary(self, seed: int) -> Path:
        """Return the file with the summary of a trial."""
        return self.path(seed).with_suffix(".json")

    def result(self, seed: int) -> Trial:
        """Return the result of a trial that has ended."""
        numbers = json.loads(self.summary(seed).read_text())
        past = history.read(RunFolder(self.path(seed)))
        first = past.first_executions()
        # An examination may add findings, for example of the seed; the others have an execution.
        folders = [each for each in finding_folders(RunFolder(self.path(seed)).findings) if each.name in first]
        findings = sorted(folders, key=lambda each: first[each.name])
        for others, finding in enumerate(findings):
            if _vanishes(finding, self.library):
                at = next(point for point in past.points if point.executions >= first[finding.name])
                work = at.counters.get("solver_work", 0)  # a solver that dies at once has counted nothing
                numbers = {"executions": first[finding.name], "solver_work": work}
                kind = FolderName.parse(finding.name).kind
                return Trial(self.arm, self.fault, seed, {name: numbers[name] for name in _MEASURES}, kind, others)
        return Trial(self.arm, self.fault, seed, {name: numbers[name] for name in _MEASURES}, "", len(findings))


def _vanishes(finding: Path, library: Path) -> bool:
    """Return whether the recipe of a finding gives none without a fault."""
    words = ["replay", str(finding), f"--solver={SOLVER.format(0)}", f"--z3-library={library}", "--json"]
    done = subprocess.run([sys.executable, "-c", _REPLAY, *words], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"chcfuzz replay {finding} failed with exit code {done.returncode}:\n{done.stderr[-2000:]}")
    return done.returncode == 0


def measured_faults(found: Sequence[Sorted], faults: Sequence[Site], state: State, *, is_apart: bool) -> list[Sorted]:
    """Return the faults in a state in the order of their hashes: two thirds to work with, or the third kept apart."""
    chosen = [each for each in found if each.state is state]
    ordered = sorted(chosen, key=lambda each: faults[each.fault - 1].order)
    return [each for each in ordered if (int(faults[each.fault - 1].order, 16) % 3 == 0) is is_apart]


def is_usual(unit: str) -> bool:
    """Return whether a unit sets no experimental parameter, under which the solver is wrong without a fault, too.

    Raises `UsageError` if it cannot be read.
    """
    try:
        content = Path(unit).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the unit {unit!r}: {error.strerror}; sort the faults again") from error
    return _experimental().isdisjoint(name for name, _ in read(content).recipe.parameters)


@cache
def _experimental() -> frozenset[str]:
    registry = load(None).registry(Solving())
    return frozenset(row.name for row in registry.parameters if row.scope is Scope.EXPERIMENTAL)


def write_corpus(folder: Path, units: Sequence[str]) -> None:
    """Write the units into a folder. Raises `UsageError` without units, or for one that cannot be read."""
    if not units:
        raise UsageError(f"no unit for {str(folder)!r}: --sorted is of an earlier version; sort the faults again")
    folder.mkdir(parents=True, exist_ok=True)
    for number, unit in enumerate(units):
        try:
            shutil.copyfile(unit, folder / f"{number:02}-{Path(unit).name}")
        except OSError as error:
            raise UsageError(f"cannot copy the unit {unit!r}: {error.strerror}; sort the faults again") from error


def measured(trials: Sequence[FaultTrials], jobs: int, results: ResultFile[Trial]) -> list[Trial]:
    """Run the trials without a result, one of each arm and fault in turn, and return the results of all."""
    known = {(each.arm, each.fault, each.seed): each for each in results.read()}
    every = [(each, seed) for seed in trials[0].seeds for each in trials]
    missing = [(each, seed) for each, seed in every if (each.arm, each.fault, seed) not in known]

    def keep(trial: Trials, seed: int, code: int) -> None:
        assert isinstance(trial, FaultTrials)
        if code:
            print(f"{trial.path(seed)} failed with exit code {code}", file=sys.stderr, flush=True)
            return
        result = trial.result(seed)
        known[result.arm, result.fault, result.seed] = result
        results.add(result)
        shutil.rmtree(trial.path(seed))
        print(f"{len(known)} of {len(every)}: {result}", file=sys.stderr, flush=True)

    Runner(jobs, keep).run(missing)
    return [known[key] for each, seed in every if (key := (each.arm, each.fault, seed)) in known]


def table(found: Sequence[Trial], arms: Sequence[str]) -> list[list[object]]:
    """Return the kills of each arm, by kind."""
    kinds = sorted({each.kind for each in found if each.kind})
    rows: list[list[object]] = [["", "trials", "killed", *kinds, "other findings"]]
    for arm in arms:
        own = [each for each in found if each.arm == arm]
        by_kind = [sum(each.kind == kind for each in own) for kind in kinds]
        rows.append([arm, len(own), sum(by_kind), *by_kind, sum(each.others for each in own)])
    return rows


def unkilled(found: Sequence[Trial], faults: Sequence[Site]) -> list[list[object]]:
    """Return the faults that no trial of any arm has killed."""
    killed = {each.fault for each in found if each.kind}
    missing = sorted({each.fault for each in found} - killed)
    sites = [(fault, faults[fault - 1]) for fault in missing]
    rows: list[list[object]] = [["fault", "place", "function", "operator"]]
    for fault, site in sites:
        rows.append([str(fault), f"{site.file}:{site.line}", site.function, site.operator])
    return rows


def arm_flags(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the flags of programs that compare kinds of campaigns by the faults of a build."""
    flags = sorted_flags(description)
    flags.add_argument("--arm", type=named_flags, action="append", metavar="NAME=FLAGS", help="a kind of campaigns")
    flags.add_argument("--apart", action="store_true", help="the faults that are kept apart")
    return flags


def sorted_faults(given: argparse.Namespace) -> tuple[list[Sorted], list[Site]]:
    """Return the states and the places of the faults that these flags name, and let campaigns import `bench`."""
    faults, found = read_faults(given.z3_library), ResultFile(given.sorted / "sorted.jsonl", Sorted).read()
    check_build(given.sorted, given.z3_library, [each.fault for each in found])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return found, faults


def _given() -> argparse.Namespace:
    flags = arm_flags(__doc__)
    states = (State.RARE, State.STUBBORN)
    flags.add_argument("--state", type=State, choices=states, default=State.RARE, help="(default: %(default)s)")
    numbers = (
        ("--number", 150, "faults"),
        ("--trials", 2, "seeds of libFuzzer"),
        ("--mutants", 500, "of a trial"),
        ("--jobs", 1, "campaigns at a time"),
    )
    add_numbers(flags, numbers)
    return flags.parse_args()


def main() -> None:
    """Run the trials, and print the tables."""
    given = _given()
    with alone(given.into):
        _run(given)


def _run(given: argparse.Namespace) -> None:
    arms = arms_of(given.arm)
    found, faults = sorted_faults(given)
    trials = _trials(given, measured_faults(found, faults, given.state, is_apart=given.apart)[: given.number], arms)
    if not trials:
        raise UsageError(f"no {given.state} fault is sorted in {str(given.sorted)!r}; run bench.faults.sorting first")
    for trial in trials:
        trial.prepare()
    kills = measured(trials, given.jobs, ResultFile(given.into / "kills.jsonl", Trial))
    print_table(table(kills, list(arms)))
    print()
    for rows in (hazard_rows(kills, list(arms)), unkilled(kills, faults)):
        print_table(rows)
        print()
    if missing := len(trials) * given.trials - len(kills):
        raise UsageError(f"{missing} trials have failed; their folders are in {str(given.into)!r}; run them again")


def _trials(given: argparse.Namespace, chosen: Sequence[Sorted], arms: Mapping[str, str]) -> list[FaultTrials]:
    """Return the trials of each arm on these faults, and write their corpora."""
    trials, library = [], given.z3_library.resolve()
    for each in chosen:
        fault, units = each.fault, list(itertools.islice(filter(is_usual, each.clean), SEEDS))
        if not units:
            print(f"fault {fault} is left out: all its units set experimental parameters", file=sys.stderr, flush=True)
            continue
        corpus = (given.into / "seeds" / str(fault)).resolve()
        write_corpus(corpus, units)
        own = [f"--solver={SOLVER.format(fault)}", f"--z3-library={library}", f"-runs={len(units) + given.mutants}"]
        own += [f"--rlimit={RLIMIT}", "--limit-factor=1"]  # a fault may make everything undecided
        for arm, more in arms.items():
            words = (*own, "--finish-seconds=600", "--status-seconds=0.3", *shlex.split(more), str(corpus))
            folder = given.into.resolve() / arm / str(fault)
            trials.append(FaultTrials(folder, words, given.trials, arm, fault, library))
    return trials


if __name__ == "__main__":
    run_as_program(main)
