"""Processor time of executions, for `bench/domains/interpolation.py --costs`: by stage, and the largest ones."""

from __future__ import annotations

import resource
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean, median

import psutil
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.mutators.recipe import Recipe

STAGES = ("read", "trivial", "solve", "check")
_SHOWN = 12  # problems that are printed


@dataclass(frozen=True)
class Cost:
    """The milliseconds of processor time of each stage for a problem, and its outcome."""

    name: str
    stages: tuple[float, ...]
    outcome: str

    @property
    def whole(self) -> float:
        """The sum of all stages."""
        return sum(self.stages)


def costs(pipeline: Pipeline, paths: Sequence[Path]) -> Iterator[Cost]:
    """Yield the costs of executing each problem once, without second opinions."""
    for path in paths:
        yield _cost(pipeline, path)


def _cost(pipeline: Pipeline, path: Path) -> Cost:
    times = [_processor()]
    mutant = pipeline.mutant(Recipe(path.read_text()))
    times.append(_processor())
    refused = pipeline.solver.refused(mutant.problem)
    times.append(_processor())
    if refused:
        return Cost(path.name, (*_differences(times), 0.0, 0.0), refused.partition(":")[0])
    outcome = pipeline.solve(mutant.text, mutant.parameters)
    times.append(_processor())
    pipeline.domain.verdicts(mutant, outcome, pipeline.watchdog, lambda _mutant: outcome)
    times.append(_processor())
    return Cost(path.name, _differences(times), outcome.status.value)


def _differences(times: Sequence[float]) -> tuple[float, ...]:
    return tuple(after - before for before, after in pairwise(times))


def report(found: Sequence[Cost]) -> Iterator[str]:
    """Yield lines: the mean and the median of each stage, then the problems that cost most."""
    yield f"{'ms of processor time':50}" + "".join(f"{stage:>10}" for stage in (*STAGES, "all"))
    for name, summary in (("mean", mean), ("median", median)):
        columns = [summary(each.stages[n] for each in found) for n in range(len(STAGES))]
        whole = summary(each.whole for each in found)
        yield f"{f'{name} of {len(found)}':50}" + "".join(f"{value:10.1f}" for value in (*columns, whole))
    for each in sorted(found, key=lambda each: -each.whole)[:_SHOWN]:
        values = "".join(f"{value:10.1f}" for value in (*each.stages, each.whole))
        yield f"{each.name[:38]:38}{each.outcome:>12}{values}"


def _processor() -> float:
    """Return the milliseconds of processor time of this process so far, and those of its children, to 10 ms."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    children = (child.cpu_times() for child in psutil.Process().children(recursive=True))
    return 1000 * (used.ru_utime + used.ru_stime + sum(child.user + child.system for child in children))
