"""Measure the processor time of judging solver steps in campaigns: pairs of one seed, with and without it.

python -m bench.speed.judging --into DIR                         # ten pairs of 2,000 executions
python -m bench.speed.judging --into DIR --pairs 3 --runs 300 --mode all

The campaigns of a pair run one after the other, in turns with and without judging first. An interrupted run continues;
DIR/judging.jsonl has the results. Processor time includes helper processes and confirmation. Takes a minute for each
300 executions.
"""

from __future__ import annotations

import argparse
import resource
import statistics
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench.campaigns import ResultFile, campaign, print_table

OFF = "off"


class TimedCampaign(msgspec.Struct, frozen=True):
    """A campaign: its mode of judging, seed, executions, seconds of processor time, and numbers of its summary."""

    mode: str
    seed: int
    runs: int
    seconds: float
    judged: int
    traces: int
    first_step: int | None


def timed(mode: str, seed: int, runs: int) -> TimedCampaign:
    """Run a campaign on the seeds."""
    before = _children()
    words = [f"-seed={seed}", f"-runs={runs}", f"--judge-solver-steps={mode}", "--finish-seconds=0.1", "--quiet"]
    numbers = campaign(words)
    first = (numbers["first"].get("wrong-step") or {}).get("executions")
    judged = numbers["solver_steps"]["judged"]
    return TimedCampaign(mode, seed, runs, _children() - before, judged, numbers["unique_traces"], first)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def report(results: Sequence[TimedCampaign]) -> None:
    """Print each pair, and the median of the added share of processor time."""
    known = {(each.mode, each.seed): each for each in results}
    table: list[list[object]] = [["pair", "off, s", "on, s", "added", "judged", "traces off", "traces on"]]
    added = []
    for mode, seed in sorted(known):
        off, on = known.get((OFF, seed)), known[mode, seed]
        if mode != OFF and off is not None:
            added.append(on.seconds / off.seconds - 1)
            table.append([f"{mode} {seed}", off.seconds, on.seconds, added[-1], on.judged, off.traces, on.traces])
    print_table(table)
    if added:
        print(f"median of the added share: {statistics.median(added):.1%}")


def main() -> None:
    """Run the campaigns that are missing, and print the table."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--into", type=Path, required=True, metavar="DIR", help="results")
    flags.add_argument("--pairs", type=int, default=10, metavar="N", help="(default: %(default)s)")
    flags.add_argument("--runs", type=int, default=2_000, metavar="N", help="(default: %(default)s)")
    flags.add_argument("--mode", choices=("sample", "all"), default="sample", help="(default: %(default)s)")
    given = flags.parse_args()
    results = ResultFile(given.into / "judging.jsonl", TimedCampaign)
    done = {(each.mode, each.seed) for each in results.read()}
    for seed in range(1, given.pairs + 1):
        pair = (OFF, given.mode)
        for mode in pair if seed % 2 else pair[::-1]:
            if (mode, seed) not in done:
                results.add(timed(mode, seed, given.runs))
    report(results.read())


if __name__ == "__main__":
    main()
