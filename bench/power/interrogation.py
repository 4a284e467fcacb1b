"""Measure the cost of computing a witness, compared with solving, and of a mutation with a cached witness.

python -m bench.power.interrogation                      # corpus/
python -m bench.power.interrogation --corpus imported    # files that do not hold a CHC system are skipped

All times are processor time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import TypeVar

from chcfuzz.execution.solving import DEFAULT_RLIMIT
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.mutation import Mutation
from chcfuzz.solvers import z3_release

from bench.campaigns import CORPUS, parser, print_table, write_json

T = TypeVar("T")


def main() -> None:
    """Compute the witness of each system once, then apply each mutation to the systems with a witness."""
    flags = parser(__doc__)
    flags.add_argument("--corpus", action="append", type=Path, metavar="DIR", help="instead of corpus/")
    given = flags.parse_args()
    z3_release.activate()
    from chcfuzz.domains.chc.oracles import witnesses
    from chcfuzz.domains.chc.rows import interrogation

    systems = read(given.corpus or [CORPUS])
    queries: list[list[object]] = [
        ["", "systems", "witnesses", "ms mean", "median", "most", "solving: ms mean", "median"]
    ]
    known: dict[str, list[System]] = {}
    for status, query in (("sat", witnesses.model_of), ("unsat", witnesses.refutation_of)):
        here = [system for system in systems if system.status == status]
        solved = [timed(solve, system)[1] for system in here]
        answered = [timed(query, system) for system in here]
        known[status] = [system for system, (found, _) in zip(here, answered, strict=True) if found is not None]
        spent = [milliseconds for _, milliseconds in answered]
        cells = [mean(spent), median(spent), max(spent), mean(solved), median(solved)]
        queries.append([f"witnesses of {status}", len(here), len(known[status]), *cells])
    rows: list[list[object]] = [["", "systems", "changed", "ms mean", "most"]]
    for row in interrogation.MUTATIONS:
        found = []
        for system in systems_for(row, known):
            changes(row, system)  # computes the witness if it is no longer cached
            found.append(timed(partial(changes, row), system))
        spent = [milliseconds for _, milliseconds in found]
        rows.append([row.id, len(found), sum(changed for changed, _ in found), mean(spent), max(spent)])
    print_table(queries)
    print_table(rows)
    write_json(given.json, {"asking": queries, "rows": rows})


def systems_for(row: Mutation, known: Mapping[str, Sequence[System]]) -> Sequence[System]:
    """Return the systems with the status that the mutation needs."""
    return next(systems for systems in known.values() if systems and row.applies(systems[0]))


def changes(row: Mutation, system: System) -> bool:
    """Determine whether a mutation changes a system."""
    return row.rewrite(system, Choices(b"\x00\x01\x02\x03")) is not None


def read(folders: Sequence[Path]) -> list[System]:
    """Return the systems with a declared status in the files below some folders."""
    found = []
    for path in (path for folder in folders for path in sorted(folder.rglob("*.smt2"))):
        try:
            system = parse(path.read_text(), path.name)
        except ChcfuzzError:
            continue
        if system.status:
            found.append(system)
    return found


def solve(system: System) -> None:
    """Run Spacer with default parameters in a new context, under a campaign's resource limit."""
    import z3

    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.set("rlimit", DEFAULT_RLIMIT)
    try:
        solver.from_string(print_system(system))
        solver.check()
    except z3.Z3Exception:
        return


def timed(do: Callable[[System], T], system: System) -> tuple[T, float]:
    """Call a function with a system; return its result and the milliseconds of processor time."""
    start = time.process_time()
    result = do(system)
    return result, 1000 * (time.process_time() - start)


if __name__ == "__main__":
    main()
