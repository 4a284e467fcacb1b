"""What each mutation does, and what sets of mutations are worth beside each other; HornFuzz's tables 4 and 5, and ours.

python bench/mutations.py                                   # draws: applies, changes, decided, another trace
python bench/mutations.py --corpus corpus --corpus imported --draws 40
python bench/mutations.py sets --runs 2000 --seeds 3        # HornFuzz's rows, those before families, all: campaigns
python bench/mutations.py sets --runs 2000 --z3-library ~/.cache/chcfuzz/z3-traced/5.4.0.0-trace     # with lines of Z3

python bench/mutations.py found run/findings                # buckets of a campaign, and the rows that opened them

Draws are made one step at a time, on as many systems as `--draws` says, the same for every row, spread over the
corpora; a system that takes more than `--rlimit` is no seed. Of the draws of a row:

    applies   of all: the row says that it may change the system
    changes   of those that apply: it does, so that a wrong mask shows
    decided   of the mutants: sat or unsat within thirty times the seed's cost
    other     of those decided: another trace than the seed's; HornFuzz's number is that of a trace not seen before
    alone     of those decided: a trace that no other row led to from that seed

Sets are campaigns on the same corpus, with the same number of executions and the same seeds of libFuzzer, that choose
rows equally. What was found stands in a line a bucket: the rows that every finding of it needs once it is reduced
(`chcfuzz triage` does that), and of how many findings no chain of rows that rewrite would do.

Of 24 systems of corpus/ and of 353 public benchmarks, Z3 5.4.1.0, by family: another trace than the seed's, and one to
which no other row led from that seed, in percent of the decided mutants: HornFuzz's sixteen rows with a number of its
paper 9 and 3; fusion 67 and 50, interrogation 57 and 29, monotone 52 and 15, wrappers 33 and 25, predicates 32 and 23,
configurations 30 and 8, clauses 27 and 6, signatures 23 and 7, unfolding 20 and 10, bait 10 and 4, shapes 7 and 0,
Z3's rewrites 6 and 0, single parameters 11 and 5. Of the draws that apply, 90 to 100 change the system (interrogation
77).

Measured on corpus/, Z3 5.4.0.0 traced, 1,400 executions (402 of them seeds), means of three seeds: HornFuzz's rows 514
traces, 219 transitions, 9,910 lines; with Z3's rewrites and ours that rewrite, 562, 231 and 10,520; all, 621, 244 and
10,960.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from statistics import mean

from campaigns import CORPUS, campaign, parser, print_table, write_json
from chcfuzz.execution.child_process import DiedError, apart
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.recipe import Recipe, Step, decode, read

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
# The ten of HornFuzz; those that rewrite clauses into equivalent ones, ask the solver, or set one parameter; all.
SETS = {
    "HornFuzz": "boolean.swap-*,boolean.dup-and,boolean.break-and,quantifiers.mix-bound-vars,arithmetic.add-ineq,"
    "rules.add-*,simplify.*,parameter.*",
    "rewriting": "arithmetic.*,boolean.*,interrogation.*,names.*,order.*,quantifiers.*,rules.*,simplify.*,parameter.*",
    "all": "*",
}
_LEAST_LIMIT = 50_000  # of a mutant, as in a campaign
_LIMIT_FACTOR = 30
_STEP = 1009  # a prime: systems that follow each other lie in different folders


def draw(corpora: Sequence[Path], draws: int, rlimit: int) -> list[list[object]]:
    """The table of draws, a row for each mutation."""
    solving = Solving(rlimit=rlimit, second_opinion=0)
    solving.activate()
    from chcfuzz.execution.pipeline import Pipeline  # imports z3, whose release is chosen now

    pipeline = Pipeline(solving)
    files = [file for folder in corpora for file in sorted(folder.rglob("*.smt2"))]

    def solved(recipe: Recipe, limit: int | None = None, unless: bytes = b"") -> tuple[bool, bool, int, int]:
        """Whether the mutant differs from one with the key `unless`, is decided; its cost and the hash of its trace."""

        def run() -> tuple[bool, bool, int, int]:
            mutant = pipeline.mutant(recipe)
            if mutant.key == unless:
                return False, False, 0, 0
            outcome = pipeline.execute(mutant, limit, second=False).outcome
            return True, outcome.status.is_decided, outcome.cost, outcome.trace.hash

        try:
            differs, decided, cost, trace = apart(run)
            return differs, decided, cost, trace
        except DiedError:  # as some mutants of some releases do
            return True, False, 0, 0

    seeds: list[tuple[str, int, int]] = []
    for number in range(len(files)):
        unit = read(files[number * _STEP % len(files)].read_bytes())
        if len(seeds) == draws or unit.fault is not None:
            continue
        _, decided, cost, trace = solved(unit.recipe)
        if decided:
            seeds.append((unit.recipe.seed, cost, trace))
    if not seeds:
        raise SystemExit("no system there that is decided; name folders with .smt2 files, or give a larger --rlimit")
    rows = pipeline.chains.registry
    ids = [*(row.id for row in rows.mutations), *(row.id for row in rows.configurations)]
    ids += [row.id for row in rows.parameters]
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for number, (seed, alone, alone_trace) in enumerate(seeds):
        before = pipeline.mutant(Recipe(seed))
        limit = min(rlimit, max(_LEAST_LIMIT, _LIMIT_FACTOR * alone))
        led_to: dict[str, int] = {}
        for row in ids:
            if not rows.applies(row, before.problem):
                continue
            key = number.to_bytes(8, "big")
            settings = rows.settings(row, Choices(b"", key))
            drawn = Recipe(seed, () if settings else (Step(row, b"", key),), settings)
            changes, decided, _, trace = solved(drawn, limit, before.key)
            if decided:
                led_to[row] = trace
            counts[row].update(applies=1, changes=changes, decided=row in led_to)
        rows_to = Counter(led_to.values())
        for row, trace in led_to.items():
            is_other = trace != alone_trace
            counts[row].update(other=is_other, alone=is_other and rows_to[trace] == 1)
    table: list[list[object]] = [["mutation", "applies", "changes", "decided", "other", "alone", "HornFuzz"]]
    for row in ids:
        count = counts[row]
        stages = (len(seeds), count["applies"], count["changes"], count["decided"])
        shares = [_percent(part, whole) for whole, part in pairwise(stages)]
        shares += [_percent(count[what], count["decided"]) for what in ("other", "alone")]
        table.append([row, *shares, f"{100 * HORNFUZZ[row]:.0f} %" if row in HORNFUZZ else ""])
    return table


def compare(
    corpora: Sequence[Path], runs: int, seeds: int, flags: Sequence[str], traced: Path | None
) -> list[list[object]]:
    """The table of sets: per thousand executions, means over libFuzzer's seeds."""
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
            1000 * mean(numbers[what] for numbers in measured) / executed for what in ("unique_traces", "transitions")
        ]
        lines = mean(numbers["lines"] for numbers in measured) if traced else ""
        found = Counter[str]()
        for numbers in measured:
            found.update(numbers["findings"])
        words = ", ".join(f"{kind} {count}" for kind, count in sorted(found.items()))
        table.append([name, executed, *each, lines, words or "none"])
    return table


def found(folders: Sequence[Path]) -> list[list[object]]:
    """The table of what campaigns found, a row for each bucket; raises `ChcfuzzError` for a damaged folder."""
    from chcfuzz.triage.buckets.buckets import (  # imports z3, whose release is chosen elsewhere
        FILE,
        bucketed,
        read_buckets,
    )

    table: list[list[object]] = [["bucket", "findings", "all need", "need a row that is not of `rewriting`"]]
    for folder in folders:
        for bucket in bucketed(read_buckets(folder / FILE)):
            needed = [_rows_of(folder / member.traits.name) for member in bucket.members]
            in_all = sorted(set.intersection(*needed))
            new = sum(any(map(_is_new, rows)) for rows in needed)
            table.append([bucket.name, len(needed), ", ".join(in_all) or "nothing in common", new])
    return table


def _rows_of(finding: Path) -> set[str]:
    """The rows of a finding's chain and parameters, of the reduced one where there is one."""
    unit = next(path for path in (finding / "reduced-recipe", finding / "recipe") if path.is_file())
    recipe = decode(unit.read_bytes())
    return {step.mutation for step in recipe.steps} | {f"parameter.{name}" for name, _ in recipe.parameters}


def _is_new(row: str) -> bool:
    return not any(fnmatchcase(row, pattern) for pattern in SETS["rewriting"].split(","))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else ""


def main() -> None:
    """Print the table that was asked for."""
    flags = parser(__doc__)
    flags.add_argument("what", nargs="?", choices=("draws", "sets", "found"), default="draws")
    flags.add_argument("findings", nargs="*", type=Path, help="for `found`: findings folders with buckets")
    flags.add_argument("--corpus", action="append", type=Path, metavar="DIR", help="instead of corpus/")
    flags.add_argument("--draws", type=int, default=40, metavar="N", help="of each row (default: %(default)s)")
    flags.add_argument("--rlimit", type=int, default=300_000, metavar="N", help="of a draw's seed and mutant")
    flags.add_argument("--runs", type=int, default=2000, metavar="N", help="of each campaign (default: %(default)s)")
    flags.add_argument("--seeds", type=int, default=3, metavar="N", help="of libFuzzer (default: %(default)s)")
    flags.add_argument("--z3-library", type=Path, metavar="DIR", help="a traced build for the sets; counts lines too")
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
