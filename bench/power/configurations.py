"""Compare HornFuzz's configurations (EASE 2023, table 2) with our default: mean and deviation over several seeds.

python -m bench.power.configurations --minutes 2 --repeats 3
python -m bench.power.configurations --long         # a day in total
python -m bench.power.configurations --minutes 5 --flag=--z3=4.8.14.0 --corpus imported
python -m bench.power.configurations --lines DIR    # also count the reached lines of Z3, in a traced build
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from bench.campaigns import CORPUS, campaign, parser, print_table, ratio, write_json

NO_PARAMETERS = "--kinds=own,rewrite"
NO_INTERROGATION = "--kinds=own,rewrite,parameter"  # the three kinds of HornFuzz
HORNFUZZ = "--preset=hornfuzz"
NO_PRIORITIES = "--heuristic=given"
SEEDS = "-runs=0"
CONFIGURATIONS = {
    "seeds": (HORNFUZZ, SEEDS),
    "naive": (HORNFUZZ, NO_PRIORITIES, NO_PARAMETERS),
    "transition": (HORNFUZZ, NO_PARAMETERS),
    "parameter": (HORNFUZZ, NO_PRIORITIES),
    "full": (HORNFUZZ,),
    "ours": (),
}
HEURISTICS = {
    heuristic: (f"--heuristic={heuristic}",)
    for heuristic in ("none", "transitions", "states", "complex", "simple", "given", "complex+transitions")
}
POLICIES = {policy: (f"--policy={policy}",) for policy in ("equal", "hornfuzz", "bandit")}
KINDS = {
    "without interrogation": (NO_INTERROGATION,),
    "with": (),
    "equal, without": ("--policy=equal", NO_INTERROGATION),
    "equal, with": ("--policy=equal",),
}
PRICES = {prices: (f"--prices={prices}",) for prices in ("none", "count", "rare")}
SETS: dict[str, Mapping[str, tuple[str, ...]]] = {
    "hornfuzz": CONFIGURATIONS,
    "heuristics": HEURISTICS,
    "kinds": KINDS,
    "policies": POLICIES,
    "prices": PRICES,
}


COLUMNS: dict[str, Callable[[dict[str, Any]], float]] = {
    "runs": lambda run: run["executions"],
    "unique traces": lambda run: run["unique_traces"],
    "traces an hour": lambda run: 3600 * ratio(run["unique_traces"], run["counters"]["wall_time"]),
    "runs per trace": lambda run: ratio(run["executions"], run["unique_traces"]),
    "transitions": lambda run: run["transitions"],
    "lines": lambda run: run["lines"],
    "findings": lambda run: sum(run["findings"].values()),
}


def row(name: str, runs: list[dict[str, Any]], columns: Sequence[str]) -> list[object]:
    """Return the table row of a configuration: mean and deviation of each column.

    The columns of ratios leave out campaigns without executions.
    """

    def cell(found: Iterable[float]) -> str:
        values = [value for value in found if not math.isnan(value)]
        if len(values) > 1:
            return f"{mean(values):.1f} ± {stdev(values):.1f}"
        return f"{values[0]:.1f}" if values else "-"

    return [name, *(cell(COLUMNS[column](run) for run in runs) for column in columns)]


def main() -> None:
    """Run every configuration with every seed, in turn, so that a varying load of the machine affects all of them."""
    flags = parser(__doc__)
    flags.add_argument(
        "--set", choices=sorted(SETS), default="hornfuzz", help="configurations to compare (default: %(default)s)"
    )
    flags.add_argument("--minutes", type=float, default=2.0, help="minutes of each campaign")
    flags.add_argument("--repeats", type=int, default=3, metavar="N", help="seeds for each configuration")
    flags.add_argument("--long", action="store_true", help="share a day among the campaigns")
    flags.add_argument("--corpus", action="append", type=Path, metavar="DIR", help="instead of corpus/")
    flags.add_argument("--flag", action="append", default=[], help="a flag for every campaign")
    flags.add_argument("--lines", type=Path, metavar="DIR", help="a traced build in which to count the lines reached")
    given = flags.parse_args()
    compared = SETS[given.set]
    minutes = 24 * 60 / (len(compared) * given.repeats) if given.long else given.minutes
    measured: dict[str, list[dict[str, Any]]] = {name: [] for name in compared}
    for seed in range(1, given.repeats + 1):
        for name, arguments in compared.items():
            limits = [f"-max_total_time={round(60 * minutes)}", f"-seed={seed}"]
            run = campaign([*limits, *arguments, *given.flag], given.corpus or (CORPUS,), given.lines)
            measured[name].append(run)
    columns = [column for column in COLUMNS if column != "lines" or given.lines]
    print_table([["", *columns], *(row(name, runs, columns) for name, runs in measured.items())])
    write_json(given.json, measured)


if __name__ == "__main__":
    main()
