"""Compare generators of SMT problems with mutants of another tool: features of Z3, each alone and both together.

python -m bench.generators.beside_mutants --out DIR --arms uniform,mixed MUTANTS MUTANTS     # each folder is a trial
python -m bench.generators.beside_mutants --out DIR --arms uniform,mixed --blocks MUTANTS    # basic blocks of Z3, too

A trial takes the different files of a folder, and as many problems of each generator (see generators.py).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from chcfuzz.domains.smt.solvers.solver_engines import smt_solvers
from chcfuzz.domains.smt.solvers.together import SmtSolvers
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading.decoding import text_of
from chcfuzz.learning import active
from chcfuzz.solvers.watchdog import Watchdog

from bench.campaigns import print_table, write_json
from bench.generators.blocks import Blocks
from bench.generators.features import MODELS, counted_blocks, drawn, model, own_parser, parsed

_HOW = ("", ", not in the folder", ", together")


def beside(given: argparse.Namespace) -> dict[str, object]:
    """Print what Z3 shows of the files in each folder, of as many of our problems, and of both together."""
    solving = replace(given.solving, solvers=("z3",))
    solvers = smt_solvers(solving, Watchdog(solving.wall_seconds))
    blocks = counted_blocks(given.out, solvers, solving) if given.blocks else None
    measures = ("features", "blocks") if given.blocks else ("features",)
    rows: list[list[object]] = [["folder", "texts", "by", *(f"{m}{how}" for m in measures for how in _HOW)]]
    for number, folder in enumerate(given.mutants):
        theirs = list(dict.fromkeys(text_of(path.read_bytes()) for path in sorted(folder.rglob("*.smt2"))))
        first = _shown(theirs, solvers, solving, blocks)
        rows.append([folder.name, len(theirs), "folder", *_compared(first, first)])
        for arm in given.arms:
            trained = MODELS[arm]
            active.activate(active.NONE if trained is None else model(given.out, *trained))
            ours = (print_problem(drawn(arm, Choices(b"", f"{number} {n}".encode()))) for n in range(len(theirs)))
            shown = _shown(ours, solvers, solving, blocks)
            rows.append([folder.name, len(theirs), arm, *_compared(first, shown)])
    print_table(rows)
    return {"rows": rows}


def _compared(first: Sequence[set[int]], other: Sequence[set[int]]) -> list[int]:
    return [n for a, b in zip(first, other, strict=True) for n in (len(b), len(b - a), len(a | b))]


def _shown(
    texts: Iterator[str] | Sequence[str], solvers: SmtSolvers, solving: Solving, blocks: Blocks | None
) -> list[set[int]]:
    """Return the features of these texts, and the blocks that they reach."""
    keys: set[int] = set()
    if blocks is not None:
        blocks.begin()
    for text in texts:
        keys.update(solvers.solve(text, (), solving.rlimit).trace.keys.tolist())
    return [keys] if blocks is None else [keys, set(blocks.reached().tolist())]


def main() -> None:
    """Print the table."""
    flags = own_parser(__doc__)
    flags.add_argument("mutants", nargs="+", type=Path, metavar="MUTANTS", help="folders of files")
    given = parsed(flags)
    write_json(given.json, beside(given))


if __name__ == "__main__":
    main()
