"""Measure the effect of each mutation, and compare sets of mutations; as in HornFuzz's tables 4 and 5.

python -m bench.power.mutations  # draws: applies, changes, decided, other trace
python -m bench.power.mutations --corpus corpus --corpus imported --draws 40
python -m bench.power.mutations sets --runs 2000 --seeds 3  # campaigns with HornFuzz's mutations, rewriting ones, all
python -m bench.power.mutations sets --runs 2000 --z3-library TRACED_BUILD  # also lines of Z3

python -m bench.power.mutations found run/findings    # buckets of a campaign, and the mutations that they need

A draw applies one mutation to one system. Every mutation gets the same `--draws` systems, spread over the corpora;
systems that take more than `--rlimit` are skipped. The columns are shares:

    applies   of all draws: `applies` returns True
    changes   of those that apply: the mutation changes the system; a low share shows that `applies` is too generous
    decided   of the mutants: sat or unsat within thirty times the seed's cost
    other     of those decided: the trace differs from the seed's (HornFuzz's number: the trace is new)
    alone     of those decided: no other mutation led to this trace from that seed

`sets` runs campaigns on the same corpus, with the same number of executions and the same seeds of libFuzzer, that
choose mutations with equal probability. `found` prints a line for each bucket: the mutations that all of its reduced
findings need (see `chcfuzz triage`), and the number of findings that no chain of rewriting mutations would show.

Measured on 24 systems of corpus/ and of 353 public benchmarks, Z3 5.4.1.0: "other" and "alone" in percent, by family:
HornFuzz's sixteen mutations with a number in its paper 9 and 3; fusion 67 and 50, interrogation 57 and 29, monotone 52
and 15, wrappers 33 and 25, predicates 32 and 23, configurations 30 and 8, clauses 27 and 6, signatures 23 and 7,
unfolding 20 and 10, bait 10 and 4, shapes 7 and 0, Z3's rewrites 6 and 0, single parameters 11 and 5. "changes" is 90
to 100 % (interrogation 77 %).

Measured on corpus/, Z3 5.4.0.0 traced, 1,400 executions (402 of them seeds), means of three seeds: HornFuzz's
mutations 514 traces, 219 transitions, 9,910 lines; with Z3's rewrites and our rewriting mutations, 562, 231 and 10,520;
all, 621, 244 and 10,960.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from chcfuzz.execution.child_process import ChildError, run_in_child
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.recipe import Recipe, Step, decode, read
from chcfuzz.mutators.registry import Registry

from bench.campaigns import CORPUS, campaign, parser, print_table, write_json

if TYPE_CHECKING:
    from chcfuzz.execution.pipeline import Pipeline

# EASE 2023, tables 4 and 5: full configuration, Z3 of 2022 with text traces.
HORNFUZZ = {
    "parameter.fp.xform.transform_arrays": 0.96,
    "parameter.fp.xform.slice": 0.96,
    "parameter.fp.xform.inline_eager": 0.76,
    "parameter.fp.xform.inline_linear": 0.48,
    "parameter.fp.xform.tail_simplifier_pve": 0.40,
    "parameter.fp.xform.elim_term_ite": 0.32,
    "parameter.fp.xform.inline_linear_branch": 0.32,
    "parameter.fp.spacer.use_inductive_generalizer": 0.32,
    "parameter.fp.spacer.eq_prop": 0.31,
    "boolean.swap-or": 0.38,
    "arithmetic.add-ineq": 0.28,
    "boolean.swap-and": 0.26,
    "boolean.dup-and": 0.26,
    "quantifiers.mix-bound-vars": 0.23,
    "boolean.break-and": 0.14,
    "simplify.plain": 0.12,
}
# HornFuzz's ten mutations; those that rewrite into equivalent clauses, query the solver, or set one parameter; all.
SETS = {
    "HornFuzz": "boolean.swap-*,boolean.dup-and,boolean.break-and,quantifiers.mix-bound-vars,arithmetic.add-ineq,"
    "rules.add-*,simplify.*,parameter.*",
    "rewriting": "arithmetic.*,boolean.*,interrogation.*,names.*,order.*,quantifiers.*,rules.*,simplify.*,parameter.*",
    "all": "*",
}
_LEAST_LIMIT = 50_000  # resource units of a mutant, as in a campaign
_LIMIT_FACTOR = 30
_STEP = 1009  # a prime: consecutive systems come from different folders


@dataclass(frozen=True)
class Solved:
    """Result of a mutant: whether it `differs` from its seed and is decided, its cost, and the hash of its trace."""

    differs: bool
    is_decided: bool = False
    cost: int = 0
    trace: int = 0


@dataclass(frozen=True)
class Seed:
    """A decided system: its text, its key, and the cost and trace hash of its execution."""

    text: str
    key: bytes
    cost: int
    trace: int


def solved(pipeline: Pipeline, recipe: Recipe, limit: int | None = None, seed_key: bytes = b"") -> Solved:
    """Execute a mutant in a child process, unless its key is that of the seed."""

    def run() -> tuple[bool, bool, int, int]:
        mutant = pipeline.mutant(recipe)
        if mutant.key == seed_key:
            return False, False, 0, 0
        outcome = pipeline.execute(mutant, limit, second=False).outcome
        return True, outcome.status.is_decided, outcome.cost, outcome.trace.hash

    try:
        return Solved(*run_in_child(run))
    except ChildError:  # some mutants kill some releases
        return Solved(differs=True)


def decided_seeds(pipeline: Pipeline, corpora: Sequence[Path], number: int) -> list[Seed]:
    """Return at most `number` decided systems, spread over the corpora."""
    files = [file for folder in corpora for file in sorted(folder.rglob("*.smt2"))]
    seeds: list[Seed] = []
    for at in range(len(files)):
        unit = read(files[at * _STEP % len(files)].read_bytes())
        if len(seeds) == number or unit.fault is not None:
            continue
        found = solved(pipeline, unit.recipe)
        if found.is_decided:
            text = unit.recipe.seed
            seeds.append(Seed(text, pipeline.mutant(Recipe(text)).key, found.cost, found.trace))
    if not seeds:
        raise SystemExit("no system in these folders is decided; name others, or raise --rlimit")
    return seeds


def count_draws(pipeline: Pipeline, seeds: Sequence[Seed], rlimit: int) -> dict[str, Counter[str]]:
    """Draw every mutation once for every seed; return the counts of the columns by mutation."""
    rows = pipeline.chains.registry
    counts: dict[str, Counter[str]] = {row: Counter() for row in ids_of(rows)}
    for number, seed in enumerate(seeds):
        problem = pipeline.mutant(Recipe(seed.text)).problem
        limit = min(rlimit, max(_LEAST_LIMIT, _LIMIT_FACTOR * seed.cost))
        key = number.to_bytes(8, "big")
        led_to: dict[str, int] = {}
        for row, count in counts.items():
            if not rows.applies(row, problem):
                continue
            settings = rows.settings(row, Choices(b"", key))
            drawn = Recipe(seed.text, () if settings else (Step(row, b"", key),), settings)
            found = solved(pipeline, drawn, limit, seed.key)
            if found.is_decided:
                led_to[row] = found.trace
            count.update(applies=1, changes=found.differs, decided=found.is_decided)
        rows_to = Counter(led_to.values())
        for row, trace in led_to.items():
            is_other = trace != seed.trace
            counts[row].update(other=is_other, alone=is_other and rows_to[trace] == 1)
    return counts


def ids_of(rows: Registry) -> list[str]:
    """Return the ids of all mutations, configurations and parameters."""
    ids = [*(row.id for row in rows.mutations), *(row.id for row in rows.configurations)]
    return ids + [row.id for row in rows.parameters]


def draw(corpora: Sequence[Path], draws: int, rlimit: int) -> list[list[object]]:
    """Return the table of draws, with a row for each mutation."""
    solving = Solving(rlimit=rlimit, second_opinion=0)
    solving.activate()
    from chcfuzz.execution.pipeline import Pipeline  # imports z3, whose release is chosen now

    pipeline = Pipeline(solving)
    seeds = decided_seeds(pipeline, corpora, draws)
    table: list[list[object]] = [["mutation", "applies", "changes", "decided", "other", "alone", "HornFuzz"]]
    for row, count in count_draws(pipeline, seeds, rlimit).items():
        stages = (len(seeds), count["applies"], count["changes"], count["decided"])
        shares = [_percent(part, whole) for whole, part in pairwise(stages)]
        shares += [_percent(count[column], count["decided"]) for column in ("other", "alone")]
        table.append([row, *shares, f"{100 * HORNFUZZ[row]:.0f} %" if row in HORNFUZZ else ""])
    return table


def compare(
    corpora: Sequence[Path], runs: int, seeds: int, flags: Sequence[str], traced: Path | None
) -> list[list[object]]:
    """Return the table of sets: numbers per thousand executions, means over libFuzzer's seeds."""
    library = [] if traced is None else [f"--z3-library={traced}"]
    table: list[list[object]] = [["rows", "executions", "traces", "transitions", "lines of Z3", "findings"]]
    for name, rows in SETS.items():
        measured = [
            campaign(
                [f"-runs={runs}", f"-seed={seed}", f"--rows={rows}", "--policy=equal", *library, *flags],
                corpora,
                traced,
            )
            for seed in range(1, seeds + 1)
        ]
        executed = mean(numbers["executions"] for numbers in measured)
        each = [
            1000 * mean(numbers[name] for numbers in measured) / executed for name in ("unique_traces", "transitions")
        ]
        lines = mean(numbers["lines"] for numbers in measured) if traced else ""
        found = Counter[str]()
        for numbers in measured:
            found.update(numbers["findings"])
        findings = ", ".join(f"{kind} {count}" for kind, count in sorted(found.items()))
        table.append([name, executed, *each, lines, findings or "none"])
    return table


def found(folders: Sequence[Path]) -> list[list[object]]:
    """Return the table of buckets of campaigns; raises `ChcfuzzError` for a damaged folder."""
    from chcfuzz.triage.buckets.buckets import (  # imports z3, whose release is chosen elsewhere
        FILE,
        bucketed,
        read_buckets,
    )

    table: list[list[object]] = [["bucket", "findings", "all need", "need a mutation that is not rewriting"]]
    for folder in folders:
        for bucket in bucketed(read_buckets(folder / FILE)):
            needed = [_rows_of(folder / member.traits.name) for member in bucket.members]
            in_all = sorted(set.intersection(*needed))
            new = sum(any(map(_is_new, rows)) for rows in needed)
            table.append([bucket.name, len(needed), ", ".join(in_all) or "nothing in common", new])
    return table


def _rows_of(finding: Path) -> set[str]:
    """Return the mutations and parameters of a finding's recipe, or of its reduced recipe if it has one."""
    unit = next(path for path in (finding / "reduced-recipe", finding / "recipe") if path.is_file())
    recipe = decode(unit.read_bytes())
    return {step.mutation for step in recipe.steps} | {f"parameter.{name}" for name, _ in recipe.parameters}


def _is_new(row: str) -> bool:
    return not any(fnmatchcase(row, pattern) for pattern in SETS["rewriting"].split(","))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else ""


def main() -> None:
    """Print the table of the chosen measurement."""
    flags = parser(__doc__)
    flags.add_argument("what", nargs="?", choices=("draws", "sets", "found"), default="draws")
    flags.add_argument("findings", nargs="*", type=Path, help="for `found`: findings folders with buckets")
    flags.add_argument("--corpus", action="append", type=Path, metavar="DIR", help="instead of corpus/")
    flags.add_argument(
        "--draws", type=int, default=40, metavar="N", help="draws of each mutation (default: %(default)s)"
    )
    flags.add_argument(
        "--rlimit", type=int, default=300_000, metavar="N", help="resource limit of a seed and of its mutants"
    )
    flags.add_argument(
        "--runs", type=int, default=2000, metavar="N", help="executions of each campaign (default: %(default)s)"
    )
    flags.add_argument("--seeds", type=int, default=3, metavar="N", help="seeds of libFuzzer (default: %(default)s)")
    flags.add_argument(
        "--z3-library", type=Path, metavar="DIR", help="traced build for the sets, which also counts lines"
    )
    flags.add_argument("--flag", action="append", default=[], help="a flag for every campaign")
    given: argparse.Namespace = flags.parse_args()
    corpora = given.corpus or [CORPUS]
    if given.what == "draws":
        table = draw(corpora, given.draws, given.rlimit)
    elif given.what == "found":
        table = found(given.findings)
    else:
        table = compare(corpora, given.runs, given.seeds, given.flag, given.z3_library)
    print_table(table)
    write_json(given.json, {"table": table})


if __name__ == "__main__":
    main()
