"""Judge the steps of Spacer on files, on mutants and under each option: a step that is not right is an alarm.

python -m bench.oracles.solver_steps --into DIR files corpus OTHER...        # each file, default parameters
python -m bench.oracles.solver_steps --into DIR options --every 7 corpus     # each value of each row of parameters
python -m bench.oracles.solver_steps --into DIR transforms corpus            # each transform of rules, alone
python -m bench.oracles.solver_steps --into DIR mutants --number 10000 corpus

A mutant is a seed after one to six rows, each drawn uniformly, and in half of the mutants one parameter. An
interrupted run continues. DIR/MODE.jsonl has a line for each run: the numbers of steps by kind and judgement, and the
alarms; the table sums them up. Takes 0.14 s of processor time for each run.

Mutants are many, so DIR/mutants.jsonl has a line for each block of two hundred, with the key of their drawing: the
seeds and the rows. If these change, other mutants are drawn, and the count begins again. With `--first`, several
processes share a drawing, each into a folder of its own.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from chcfuzz.domains.chc.rows.parameters import parameters
from chcfuzz.domains.chc.solver_steps.judge_worker import StepsReply
from chcfuzz.domains.chc.solver_steps.transform_options import SWITCHES
from chcfuzz.domains.chc.solver_steps.worker import MODULE, StepsQuery
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess
from chcfuzz.solvers.z3_release import activate

from bench.campaigns import ResultFile, print_table, run_as_program
from bench.mutants import Case, drawing, files, mutants

_BLOCK = 200  # mutants


class JudgedRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """A run: its name, its parameters, the numbers of steps, and the lines of steps that are wrong or unproved."""

    name: str
    parameters: tuple[tuple[str, str], ...] = ()
    steps: dict[str, int] = {}
    alarms: tuple[str, ...] = ()
    death: str = ""


class JudgedBlock(msgspec.Struct, frozen=True, omit_defaults=True):
    """The mutants from number `first` on of a drawing: how many, their steps, and the runs with an alarm or a death."""

    drawing: str
    first: int
    number: int
    runs: int
    steps: dict[str, int] = {}
    noted: tuple[JudgedRun, ...] = ()


def under_options(seeds: Sequence[tuple[str, str]]) -> Iterator[Case]:
    """Yield each file under each value of each row of parameters."""
    for row in parameters():
        for value in row.values:
            for name, text in seeds:
                yield name, text, ((row.name, value),)


def with_transforms(seeds: Sequence[tuple[str, str]]) -> Iterator[Case]:
    """Yield each file with all transforms on; each of them is then judged in a run with it alone."""
    chosen = tuple((name, on) for name, (_, on) in SWITCHES.items())
    for name, text in seeds:
        yield name, text, chosen


def judged(process: HelperProcess, case: Case, is_traced: bool) -> JudgedRun:
    """Return the judgements on the steps of a run, and on transforms if it `is_traced`."""
    name, text, chosen = case
    reply = process.request(StepsQuery(text, chosen, is_traced), StepsReply)
    counts = Counter(f"{step.kind} {step.judgement}" for step in reply.steps)
    alarms = tuple(step.line for step in reply.steps if step.judgement in ("wrong", "unproved"))
    return JudgedRun(name, chosen, dict(sorted(counts.items())), alarms, reply.death or reply.error)


def main() -> None:
    """Judge the runs that are not judged yet, and print the sums."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--into", type=Path, required=True, metavar="DIR", help="results")
    flags.add_argument("mode", choices=("files", "options", "transforms", "mutants"))
    flags.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    flags.add_argument("--every", type=int, default=1, metavar="N", help="one file in N (default: %(default)s)")
    flags.add_argument("--number", type=int, default=10_000, metavar="N", help="mutants (default: %(default)s)")
    flags.add_argument("--first", type=int, default=0, metavar="N", help="number of the first mutant (default: 0)")
    given = flags.parse_args()
    if given.first % _BLOCK:
        flags.error(f"--first {given.first} is not a multiple of {_BLOCK}")
    activate()
    seeds = list(files(given.folders, given.every))
    cases: Iterator[Case] = ((name, text, ()) for name, text in seeds)
    if given.mode == "options":
        cases = under_options(seeds)
    elif given.mode == "transforms":
        cases = with_transforms(seeds)
    process = HelperProcess(MODULE, Solving())
    if given.mode == "mutants":
        blocks = ResultFile(given.into / "mutants.jsonl", JudgedBlock)
        judge_mutants(process, blocks, seeds, range(given.first, given.number))
        process.end()
        return
    results = ResultFile(given.into / f"{given.mode}.jsonl", JudgedRun)
    done = {(run.name, run.parameters) for run in results.read()}
    for case in cases:
        if (case[0], case[2]) not in done:
            results.add(judged(process, case, given.mode == "transforms"))
    process.end()
    report(results.read())


def judge_mutants(
    process: HelperProcess, results: ResultFile[JudgedBlock], seeds: Sequence[tuple[str, str]], wanted: range
) -> None:
    """Judge the blocks of these mutants that are not judged yet, and print the sums of this drawing."""
    key = drawing(seeds)
    done = {block.first for block in results.read() if block.drawing == key}
    for first in wanted[::_BLOCK]:
        if first not in done:
            numbers = range(first, min(first + _BLOCK, wanted.stop))
            runs = [judged(process, case, False) for case in mutants(seeds, numbers)]
            results.add(block_of(key, first, runs))
    report_blocks([block for block in results.read() if block.drawing == key])


def report_blocks(blocks: Sequence[JudgedBlock]) -> None:
    """Print the sums of blocks, and their alarms."""
    sums = sum((Counter(block.steps) for block in blocks), Counter[str]())
    noted = [run for block in blocks for run in block.noted]
    sums["mutants"] = sum(block.number for block in blocks)
    sums["runs with a right or wrong step"] = sum(block.runs for block in blocks)
    _print(sums, noted)


def block_of(key: str, first: int, runs: Sequence[JudgedRun]) -> JudgedBlock:
    """Return the block of these runs."""
    steps = sum((Counter(run.steps) for run in runs), Counter[str]())
    noted = tuple(run for run in runs if run.alarms or run.death)
    judged_runs = sum(any(key.endswith((" right", " wrong")) for key in run.steps) for run in runs)
    return JudgedBlock(key, first, len(runs), judged_runs, dict(sorted(steps.items())), noted)


def report(runs: Sequence[JudgedRun]) -> None:
    """Print the sums, and the alarms."""
    sums = sum((Counter(run.steps) for run in runs), Counter[str]())
    sums["runs"] = len(runs)
    sums["runs with a right step"] = sum(any(key.endswith(" right") for key in run.steps) for run in runs)
    _print(sums, runs)


def _print(sums: Counter[str], runs: Sequence[JudgedRun]) -> None:
    sums["runs that died"] = sum(bool(run.death) for run in runs)
    sums["runs with an alarm"] = sum(bool(run.alarms) for run in runs)
    print_table([["", "number"], *([key, value] for key, value in sorted(sums.items()))])
    for run in runs:
        for line in run.alarms:
            print(run.name, *(f"{name}={value}" for name, value in run.parameters), line)


if __name__ == "__main__":
    run_as_program(main)
