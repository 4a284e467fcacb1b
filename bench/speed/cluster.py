"""Simulate a campaign on a cluster of 1 to 1,000 workers: the exchange of units and the examination of suspicions.

python -m bench.speed.cluster --processes 32 --into cluster.json

The model plays slices round by round, with costs that were measured on one machine (docs/cluster.md has their origin).
It prints the shares of a worker's time, and the loads of the parts that all workers share.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

WORKERS = (1, 2, 10, 100, 300, 1000)


@dataclass(frozen=True)
class Costs:
    """Measured numbers; times in seconds.

    Attributes:
        slice: Time of a slice.
        start: Start and end of the child of a slice, in which nothing is fuzzed.
        processes: Processes of a worker (`--workers` after `--`), which share outcomes.
        units: New units in the first hour of one process.
        growth: Exponent with which the number of all units grows with the time of all processes.
        read: Time for executing a unit of another worker.
        known: Time for reading a unit whose outcome another process of the worker has stored.
        unit_bytes: Size of a unit in a pack.
        request: Time for reading or writing a pack in the store.
        merge: Processor time of the coordinator for a unit of a pack.
        schedule: Processor time of the scheduler for a task.
        signatures: Signatures of suspicions in the first hour of one process.
        signature_growth: Exponent with which the number of all signatures grows with the time of all processes.
        examine: Time for examining a suspicion. Each worker does so for each signature, once.
        most: Limit of the corpus of a run folder.
    """

    slice: float = 600.0
    start: float = 3.0
    processes: int = 1
    units: float = 4100.0
    growth: float = 0.6
    read: float = 0.04
    known: float = 0.0005
    unit_bytes: float = 100.0
    request: float = 0.05
    merge: float = 0.000005
    schedule: float = 0.016
    signatures: float = 4.0
    signature_growth: float = 0.5
    examine: float = 15.0
    most: int = 10_000

    def all_units(self, hours: float) -> float:
        """Return the number of different units after hours of fuzzing, those of all processes together."""
        return self.units * float(hours**self.growth)

    def all_signatures(self, hours: float) -> float:
        """Return the number of signatures of suspicions after hours of fuzzing."""
        return self.signatures * float(hours**self.signature_growth)


@dataclass(frozen=True)
class Simulated:
    """Result for a number of workers: shares of their time, and loads of the coordinator and the scheduler (1: full).

    `speedup` is the time of fuzzing of all processes in relation to the time that has passed.
    """

    workers: int
    fuzzing: float
    reading: float
    examining: float
    coordinator: float
    scheduler: float
    megabytes_a_second: float
    units: int
    speedup: float


def simulate(costs: Costs, workers: int, hours: float) -> Simulated:
    """Play slices, which all workers begin at the same time, until `hours` hours have passed.

    In a slice, a worker first reads the units that are new to it, then examines the suspicions that wait, and fuzzes in
    the rest.
    """
    rounds = max(1, round(hours * 3600 / costs.slice))
    fuzzed = reading = examining = traffic = units = signatures = waiting = 0.0
    for _ in range(rounds):
        # Before this round, and not the round before: other units are new to a worker once only.
        new, units = costs.all_units(fuzzed) - units, costs.all_units(fuzzed)
        waiting, signatures = waiting + costs.all_signatures(fuzzed) - signatures, costs.all_signatures(fuzzed)
        left = costs.slice - costs.start
        read = min(left, min(new, costs.most) * (costs.read / costs.processes + costs.known))
        examine = min(left - read, waiting * costs.examine)
        waiting -= examine / costs.examine
        fuzzed += workers * costs.processes * (left - read - examine) / 3600
        reading, examining = reading + read, examining + examine
        traffic += (workers + 1) * new * costs.unit_bytes  # one worker sends a unit, all read it
    seconds = rounds * costs.slice
    of_packs = workers * costs.request + costs.all_units(fuzzed) / rounds * costs.merge
    return Simulated(
        workers=workers,
        fuzzing=round(fuzzed * 3600 / (workers * costs.processes * seconds), 3),
        reading=round(reading / seconds, 3),
        examining=round(examining / seconds, 3),
        coordinator=round(of_packs / costs.slice, 3),
        scheduler=round(workers * costs.schedule / costs.slice, 3),
        megabytes_a_second=round(traffic / seconds / 1e6, 2),
        units=round(costs.all_units(fuzzed)),
        speedup=round(fuzzed * 3600 / seconds, 1),
    )


def table(results: Sequence[Simulated]) -> str:
    """Return the results as a table of Markdown."""
    heads = list(asdict(results[0]))
    lines = ["| " + " | ".join(head.replace("_", " ") for head in heads) + " |", "| --- " * len(heads) + "|"]
    lines += ["| " + " | ".join(f"{value:,}" for value in asdict(each).values()) + " |" for each in results]
    return "\n".join(lines)


def main() -> None:
    """Simulate each number of workers, and print a table."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--into", type=Path, metavar="FILE.json", help="also write the results as JSON")
    flags.add_argument("--hours", type=float, default=24.0)
    for name, value in asdict(Costs()).items():
        flags.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    given = flags.parse_args()
    costs = Costs(**{name: getattr(given, name) for name in asdict(Costs())})
    results = [simulate(costs, workers, given.hours) for workers in WORKERS]
    print(table(results))
    if given.into:
        content = {"costs": asdict(costs), "hours": given.hours, "results": [asdict(each) for each in results]}
        given.into.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
