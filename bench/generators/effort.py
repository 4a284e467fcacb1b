"""Measure the effort of Spacer, in levels and lemmas, on folders of systems and on generated systems.

python -m bench.generators.effort ../benchmarks corpus --generate 100
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from chcfuzz.domains.chc.generation.generate import generated
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.solvers import z3_release

from bench.campaigns import CORPUS, parser, print_table, write_json

z3_release.activate()  # before other modules import z3

from chcfuzz.domains.chc.solvers.effort import Effort, effort  # noqa: E402
from chcfuzz.solvers.watchdog import Watchdog  # noqa: E402


def _texts(folder: Path, most: int) -> Iterable[str]:
    files = sorted(folder.rglob("*.smt2*"))
    for file in files[:: max(1, len(files) // most)]:
        yield gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text()


def _made(status: str, number: int) -> Iterable[str]:
    return (print_system(generated(status, Choices(b"", f"0 {status} {n}".encode())).system) for n in range(number))


def _row(name: str, efforts: list[Effort]) -> list[object]:
    """Return a table row: medians and 90 % quantiles over the decided systems."""
    answers = Counter(each.answer for each in efforts)
    decided = [each for each in efforts if each.answer != "unknown"]
    row: list[object] = [name, answers["sat"], answers["unsat"], answers["unknown"]]
    for numbers in (sorted(each.levels for each in decided), sorted(each.lemmas for each in decided)):
        row += [median(numbers), numbers[len(numbers) * 9 // 10]] if numbers else ["", ""]
    return row


def main() -> None:
    """Solve each system once, under a resource limit, and print the table."""
    flags = parser(__doc__)
    flags.add_argument("folders", nargs="*", type=Path, default=[CORPUS], metavar="DIR")
    flags.add_argument("--generate", type=int, default=50, metavar="N", help="generate N systems of each status")
    flags.add_argument("--most", type=int, default=100, metavar="N", help="at most about N systems of each folder")
    flags.add_argument("--rlimit", type=int, default=3_000_000, metavar="N")
    given = flags.parse_args()
    watchdog = Watchdog(20)
    texts = {str(folder): _texts(folder, given.most) for folder in given.folders}
    texts |= {f"generated {status}": _made(status, given.generate) for status in ("sat", "unsat")}
    head: list[object] = ["systems", "sat", "unsat", "unknown", "levels", "90 %", "lemmas", "90 %"]
    rows = [_row(name, [effort(text, given.rlimit, watchdog) for text in some]) for name, some in texts.items()]
    print_table([head, *rows])
    write_json(given.json, {"rows": rows})


if __name__ == "__main__":
    main()
