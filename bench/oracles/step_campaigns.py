"""Find what campaigns that judge all solver steps find, over hours and several machines.

python -m bench.oracles.step_campaigns --into DIR --jobs 2
python -m bench.oracles.step_campaigns --into DIR --arm 'fixed=--z3-library FOLDER' --first 9 --slices 8

The work is cut into slices: a slice is a campaign of one worker on corpus/, with the seed of libFuzzer that is its
number, and does not depend on the machine. An interrupted run continues. DIR/slices.jsonl has a line for each slice,
with the recipes of its findings, and DIR/ARM/findings their folders; to continue on another
machine, copy slices.jsonl there. Takes about half an hour for a slice.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.execution.solving import UsageError
from chcfuzz.experiments.trials import Runner, Trials
from chcfuzz.triage.findings.record import FolderName
from chcfuzz.triage.findings.store import findings_in

from bench.campaigns import CORPUS, ResultFile, add_numbers, alone, arms_of, named_flags, print_table, run_as_program


class Found(msgspec.Struct, frozen=True):
    """A finding: the name of its folder, the answer it is about, its parameters, and its recipe."""

    name: str
    answer: str
    parameters: Mapping[str, str]
    recipe: bytes


class Slice(msgspec.Struct, frozen=True):
    """A campaign that has ended, with the numbers of its summary; `seconds` are those of the clock."""

    arm: str
    seed: int
    executions: int
    seconds: float
    judged: int
    undecided: int
    unstable: int
    findings: tuple[Found, ...]


class SliceTrials(Trials):
    """The slices of an arm."""

    def program(self, seed: int) -> list[str]:
        """Return the arguments of Python for a slice, which writes its summary beside its run folder."""
        return [*super().program(seed), f"--json={self.summary(seed)}"]

    def summary(self, seed: int) -> Path:
        """Return the file with the summary of a slice."""
        return self.path(seed).with_suffix(".json")

    def result(self, seed: int) -> Slice:
        """Return the result of a slice that has ended, and keep the folders of its findings."""
        numbers, steps = (whole := json.loads(self.summary(seed).read_text())), whole["solver_steps"]
        folder = RunFolder(self.path(seed)).findings
        found = tuple(
            Found(each.folder.name, each.record.answer, each.record.parameters, (each.folder / "recipe").read_bytes())
            for each in findings_in(folder)
        )
        kept = self.folder / "findings" / str(seed)
        if found:
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
        executions, seconds = numbers["executions"], numbers["seconds"]
        return Slice(self.folder.name, seed, executions, seconds, **steps, findings=found)


def table(slices: Sequence[Slice]) -> list[list[object]]:
    """Return the sums of each arm, and its findings by kind."""
    kinds = sorted({_kind(found) for each in slices for found in each.findings})
    rows: list[list[object]] = [["", "slices", "hours", "executions", "judged", "undecided", "unstable", *kinds]]
    for arm in dict.fromkeys(each.arm for each in slices):
        own = [each for each in slices if each.arm == arm]
        by_kind = Counter(_kind(found) for each in own for found in each.findings)
        numbers = [(e.seconds / 3600, e.executions, e.judged, e.undecided, e.unstable) for e in own]
        rows.append([arm, len(own), *map(sum, zip(*numbers, strict=True)), *(by_kind[kind] for kind in kinds)])
    return rows


def _kind(found: Found) -> str:
    return FolderName.parse(found.name).kind


def main() -> None:
    """Run the slices that are missing, and print the table."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--into", type=Path, required=True, metavar="DIR", help="results")
    flags.add_argument("--arm", type=named_flags, action="append", metavar="NAME=FLAGS", help="a kind of campaigns")
    numbers = (
        ("--first", 1, "number of the first slice"),
        ("--slices", 4, "slices of each kind"),
        ("--executions", 10_000, "executions of a slice"),
        ("--jobs", 1, "slices at a time"),
    )
    add_numbers(flags, numbers)
    given = flags.parse_args()
    with alone(given.into):
        _run(given)


def _run(given: argparse.Namespace) -> None:
    results = ResultFile(given.into / "slices.jsonl", Slice)
    slices = results.read()
    done = {(each.arm, each.seed) for each in slices}
    words = (f"-runs={given.executions}", "--judge-solver-steps=all", "--finish-seconds=600")
    last, into = given.first + given.slices - 1, given.into.resolve()
    arms = arms_of(given.arm)
    trials = [SliceTrials(into / arm, (*words, *shlex.split(more), str(CORPUS)), last) for arm, more in arms.items()]

    def keep(trial: Trials, seed: int, code: int) -> None:
        assert isinstance(trial, SliceTrials)
        if code:
            print(f"{trial.path(seed)} ended with exit code {code}", file=sys.stderr, flush=True)
            return
        slices.append(trial.result(seed))
        results.add(slices[-1])
        shutil.rmtree(trial.path(seed))
        print(f"{trial.path(seed)}: {len(slices[-1].findings)} findings", file=sys.stderr, flush=True)

    for each in trials:
        each.prepare()
    wanted = [(each, seed) for seed in range(given.first, last + 1) for each in trials]
    missing = [(each, seed) for each, seed in wanted if (each.folder.name, seed) not in done]
    Runner(given.jobs, keep).run(missing)
    print_table(table(slices))
    if failed := len(missing) - len({(each.arm, each.seed) for each in slices} - done):
        raise UsageError(f"{failed} slices have failed; their folders are in {str(given.into)!r}; run them again")


if __name__ == "__main__":
    run_as_program(main)
