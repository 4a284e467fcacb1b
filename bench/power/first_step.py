"""Measure how soon campaigns meet the first wrong step of Spacer, and the first wrong answer, from clean seeds.

python -m bench.power.first_step --into DIR                 # ten trials of 250 executions from each seed
python -m bench.power.first_step --into DIR --seed 'bug 25' --trials 3 --runs 100

The seeds are those of tests/quality/rediscovery/known.toml, for the release that its table names, and one for each of
some other bugs of docs/z3-5.4.0.md, for the newest. A trial is a campaign of one worker on one seed, which the release
answers rightly; all steps are judged. An interrupted run continues; DIR/trials.jsonl has the results. The table has
medians of executions with 95 % intervals, and p of the signed-rank test over pairs of step and answer, corrected by
Holm's method. Takes about half a minute a trial. Needs `pip install -e '.[statistics]'`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from chcfuzz.experiments.statistics import Sample, compared, holm, interval_text, median_interval, p_text, value_text
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse

from bench.campaigns import CORPUS, ROOT, ResultFile, campaign, print_table
from bench.power.known import alone

_EVENTS = ("wrong-step", "contradiction")
_OTHERS = {  # numbers of docs/z3-5.4.0.md
    6: ROOT / "reports" / "z3" / "04-unfolding-past-the-tail" / "input-b.smt2",
    9: ROOT / "bench" / "data" / "constant-array-read.smt2",
    12: ROOT / "reports" / "z3" / "12-true-premise-dropped" / "input.smt2",
    25: CORPUS / "protocols" / "ticket-lock-unsafe.smt2",
}


class StepTrial(msgspec.Struct, frozen=True):
    """A campaign: the executions until its first wrong step and its first wrong answer; None if it met none."""

    name: str
    seed: int
    runs: int
    executions: Mapping[str, int | None]
    findings: Mapping[str, int]


def seeds() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return a system near each bug, without options, and the flags that select a release which answers it rightly."""
    known = {each.name: (_without_options(each.texts[each.name]), each.flags) for each in alone()}
    others = {f"bug {bug}": (_without_options(path.read_text()), ()) for bug, path in _OTHERS.items()}
    return {**known, **others}


def _without_options(text: str) -> str:
    system = parse(text)
    return print_system(system.with_header(system.info, ()))


def trial(name: str, text: str, flags: Sequence[str], seed: int, runs: int) -> StepTrial:
    """Run a campaign from one system."""
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as folder:
        (Path(folder) / "seed.smt2").write_text(text)
        words = [*flags, f"-seed={seed}", f"-runs={runs}", "--judge-solver-steps=all", "--second-opinion=0"]
        numbers = campaign([*words, "--finish-seconds=0.1", "--quiet"], [Path(folder)])
    first = {event: (numbers["first"].get(event) or {}).get("executions") for event in _EVENTS}
    return StepTrial(name, seed, runs, first, numbers["findings"])


def rows(trials: Sequence[StepTrial]) -> list[list[object]]:
    """Return the table: medians of each event, and how often a wrong step came first, with, or after the answer."""
    by_name: dict[str, list[StepTrial]] = {}
    for each in trials:
        by_name.setdefault(each.name, []).append(each)
    samples = {name: [_sample(here, event) for event in _EVENTS] for name, here in by_name.items()}
    corrected = holm([compared(step, answer, pairs=True).p for step, answer in samples.values()])
    header = [cell for event in ("step", "answer") for cell in (f"first wrong {event}", "95 %", "met")]
    table: list[list[object]] = [["", "trials", *header, "before", "with", "after", "p (Holm)"]]
    for (name, pair), p in zip(samples.items(), corrected, strict=True):
        cells = [
            cell
            for side in pair
            for cell in (value_text(side.median), interval_text(median_interval(side)), str(side.events))
        ]
        orders = [_order(*(each.executions[event] for event in _EVENTS)) for each in by_name[name]]
        table.append([name, str(len(orders)), *cells, *(str(orders.count(i)) for i in (-1, 0, 1)), p_text(p)])
    return table


def _sample(trials: Sequence[StepTrial], event: str) -> Sample:
    met = [each.executions[event] for each in trials]
    values = tuple(each.runs if at is None else at for each, at in zip(trials, met, strict=True))
    return Sample(values, tuple(at is None for at in met))


def _order(step: int | None, answer: int | None) -> int | None:
    """Return -1, 0 or 1 for a step before, with or after the answer; None if neither was met."""
    if step is None or answer is None:
        return None if step is answer else -1 if answer is None else 1
    return (step > answer) - (step < answer)


def main() -> None:
    """Run the trials that are missing, in turns, and print the table."""
    systems = seeds()
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--into", type=Path, required=True, metavar="DIR", help="results")
    flags.add_argument("--seed", action="append", choices=systems, help="only this one; may be repeated")
    flags.add_argument("--runs", type=int, default=250, metavar="N", help="(default: %(default)s)")
    flags.add_argument("--trials", type=int, default=10, metavar="N", help="(default: %(default)s)")
    given = flags.parse_args()
    results = ResultFile(given.into / "trials.jsonl", StepTrial)
    done = {(each.name, each.seed) for each in results.read()}
    for number in range(1, given.trials + 1):
        for name, (text, release) in systems.items():
            if name in (given.seed or (name,)) and (name, number) not in done:
                results.add(trial(name, text, release, number, given.runs))
    print_table(rows(results.read()))


if __name__ == "__main__":
    main()
