"""Measure how soon campaigns meet the first wrong step of Spacer, and the first wrong answer, from clean neighbours.

python -m bench.power.first_step --into DIR                 # ten trials of 250 executions from each neighbour
python -m bench.power.first_step --into DIR --bug 25 --trials 3 --runs 100

A trial is a campaign of one worker on one system that the newest release answers rightly; all steps are judged. Bugs
have their numbers of docs/z3-5.4.0.md. An interrupted run continues; DIR/trials.jsonl has the results. The table has
medians of executions, with the trials that met the event. Takes about half a minute a trial.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse

from bench.campaigns import CORPUS, ROOT, ResultFile, campaign, print_table
from tests.quality.rediscovery import known

_EVENTS = ("wrong-step", "contradiction")
_CONSTANT = ROOT / "bench" / "data" / "constant-array-read.smt2"


class StepTrial(msgspec.Struct, frozen=True):
    """A campaign: the executions until its first wrong step and its first wrong answer; None if it met none."""

    bug: int
    seed: int
    runs: int
    executions: Mapping[str, int | None]
    findings: Mapping[str, int]


def neighbours() -> dict[int, str]:
    """Return a system near each bug, without options, that the newest release answers rightly."""
    reports = {6: "04-unfolding-past-the-tail/input-b.smt2", 12: "12-true-premise-dropped/input.smt2"}
    found = {bug: (ROOT / "reports" / "z3" / file).read_text() for bug, file in reports.items()}
    found |= {row.bug: row.seed.read_text() for row in known.table() if row.bug in (10, 17, 19, 20, 21)}
    found |= {9: _CONSTANT.read_text(), 25: (CORPUS / "protocols" / "ticket-lock-unsafe.smt2").read_text()}
    return {bug: _without_options(text) for bug, text in sorted(found.items())}


def _without_options(text: str) -> str:
    system = parse(text)
    return print_system(system.with_header(system.info, ()))


def trial(bug: int, text: str, seed: int, runs: int) -> StepTrial:
    """Run a campaign from one system."""
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as name:
        (Path(name) / "neighbour.smt2").write_text(text)
        words = [f"-seed={seed}", f"-runs={runs}", "--judge-solver-steps=all", "--second-opinion=0"]
        numbers = campaign([*words, "--finish-seconds=0.1", "--quiet"], [Path(name)])
    first = {event: (numbers["first"].get(event) or {}).get("executions") for event in _EVENTS}
    return StepTrial(bug, seed, runs, first, numbers["findings"])


def rows(trials: Sequence[StepTrial]) -> list[list[object]]:
    """Return the table: medians of each event, and how often a wrong step came first, with, or after the answer."""
    table: list[list[object]] = [["bug", "trials", "step", "met", "answer", "met", "before", "with", "after"]]
    for bug in sorted({each.bug for each in trials}):
        here = [each for each in trials if each.bug == bug]
        steps, answers = ([each.executions[event] for each in here] for event in _EVENTS)
        orders = [_order(step, answer) for step, answer in zip(steps, answers, strict=True)]
        medians = [cell for event in (steps, answers) for cell in _median(event)]
        table.append([str(bug), len(here), *medians, *(orders.count(order) for order in (-1, 0, 1))])
    return table


def _median(executions: Sequence[int | None]) -> tuple[object, int]:
    met = [each for each in executions if each is not None]
    return (statistics.median(met) if met else "-"), len(met)


def _order(step: int | None, answer: int | None) -> int | None:
    """Return -1, 0 or 1 for a step before, with or after the answer; None if neither was met."""
    if step is None or answer is None:
        return None if step is answer else -1 if answer is None else 1
    return (step > answer) - (step < answer)


def main() -> None:
    """Run the trials that are missing, in turns, and print the table."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--into", type=Path, required=True, metavar="DIR", help="results")
    flags.add_argument("--bug", type=int, action="append", help="only this one; may be repeated")
    flags.add_argument("--runs", type=int, default=250, metavar="N", help="(default: %(default)s)")
    flags.add_argument("--trials", type=int, default=10, metavar="N", help="(default: %(default)s)")
    given = flags.parse_args()
    systems = {bug: text for bug, text in neighbours().items() if bug in (given.bug or neighbours())}
    results = ResultFile(given.into / "trials.jsonl", StepTrial)
    done = {(each.bug, each.seed) for each in results.read()}
    for seed in range(1, given.trials + 1):
        for bug, text in systems.items():
            if (bug, seed) not in done:
                results.add(trial(bug, text, seed, given.runs))
    print_table(rows(results.read()))


if __name__ == "__main__":
    main()
