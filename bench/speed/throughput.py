"""Measure executions per second, and the share of time that each step takes.

python -m bench.speed.throughput                    # on corpus/
python -m bench.speed.throughput imported --seconds 60 # also on an imported corpus
python -m bench.speed.throughput --command golem    # Spacer, and another solver for comparison
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.campaigns import COMMAND, CORPUS, SPACER, campaign, parser, print_table, ratio, write_json

PARTS = ("solver", "check", "decode", "apply", "print", "mutate", "trace", "confirm")


def shares(numbers: dict[str, Any]) -> dict[str, float]:
    """Return the share of the workers' time that each step takes; `rest` is libFuzzer and other Python code."""
    counters = numbers["counters"]
    found = {part: ratio(counters[f"{part}_time"], counters["wall_time"]) for part in PARTS}
    return {**found, "rest": 1 - sum(found.values())}


def main() -> None:
    """Run a campaign of each solver on each corpus and print a column for each."""
    flags = parser(__doc__)
    flags.add_argument("corpora", nargs="*", type=Path, metavar="DIR", help="more corpora than corpus/")
    flags.add_argument("--seconds", type=int, default=60)
    flags.add_argument(
        "--flag", action="append", default=[], help="a flag for Spacer's campaigns, for example --flag=--z3=4.8.14.0"
    )
    flags.add_argument("--command", action="append", default=[], metavar="CMD", help="also fuzz this solver")
    given = flags.parse_args()
    solvers = [("Spacer", SPACER, given.flag)]
    solvers += [
        ("/".join(Path(command.split()[0]).parts[-2:]), COMMAND, [f"--command={command}"]) for command in given.command
    ]
    measured = {}
    for solver, script, own in solvers:
        for corpus in (CORPUS, *given.corpora):
            limits = [f"-max_total_time={given.seconds}", "-seed=1", *own]
            measured[f"{solver} {corpus.name}"] = campaign(limits, (corpus,), script=script)
    rows: list[list[object]] = [["", *measured]]
    for name in ("executions", "solved", "solved_per_second", "unique_traces", "transitions", "stability"):
        rows.append([name.replace("_", " "), *(numbers[name] for numbers in measured.values())])
    for part in (*PARTS, "rest"):
        rows.append([f"share of {part}", *(shares(numbers)[part] for numbers in measured.values())])
    together = [shares(numbers)["solver"] + shares(numbers)["check"] for numbers in measured.values()]
    rows.append(["share of solver and check", *together])
    rows.append(["check beside solving", *(ratio(shares(n)["check"], shares(n)["solver"]) for n in measured.values())])
    print_table(rows)
    write_json(given.json, {name: {**numbers, "shares": shares(numbers)} for name, numbers in measured.items()})


if __name__ == "__main__":
    main()
