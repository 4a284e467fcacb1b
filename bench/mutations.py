"""The chance that a mutation opens a new trace: HornFuzz's tables 4 and 5, ours beside theirs.

python bench/mutations.py --minutes 10
"""

from __future__ import annotations

from pathlib import Path

from campaigns import CORPUS, campaign, parser, print_table, write_json

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


def main() -> None:
    """One campaign that chooses equally, so that every row is tried."""
    flags = parser(__doc__)
    flags.add_argument("--minutes", type=float, default=5.0)
    flags.add_argument("--corpus", action="append", type=Path, metavar="DIR", help="instead of corpus/")
    flags.add_argument("--flag", action="append", default=[], help="a flag for the campaign")
    given = flags.parse_args()
    limits = [f"-max_total_time={round(60 * given.minutes)}", "-seed=1", "--policy=equal"]
    numbers = campaign([*limits, *given.flag], given.corpus or (CORPUS,))
    rows = sorted(numbers["rows"].items(), key=lambda item: (-item[1][1] / item[1][0], item[0]))
    table: list[list[object]] = [["mutation", "tried", "opened", "ours", "HornFuzz"]]
    for name, (tried, opened) in rows:
        theirs = HORNFUZZ.get(name)
        table.append([name, tried, opened, f"{opened / tried:.2f}", "" if theirs is None else f"{theirs:.2f}"])
    print_table(table)
    write_json(given.json, {"rows": numbers["rows"], "hornfuzz": HORNFUZZ})


if __name__ == "__main__":
    main()
