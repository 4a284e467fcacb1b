"""What systems cost Spacer: levels and lemmas, of folders beside each other, and of systems that are generated.

python bench/effort.py ../benchmarks corpus --generate 100
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from campaigns import CORPUS, parser, print_table, write_json
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printer import print_system
from chcfuzz.mutators.rewriting.generate import generated
from chcfuzz.solvers import z3_release

z3_release.activate()  # before what imports z3

from chcfuzz.solvers.effort import Effort, effort  # noqa: E402
from chcfuzz.solvers.watchdog import Watchdog  # noqa: E402


def _texts(folder: Path, most: int) -> Iterable[str]:
    files = sorted(folder.rglob("*.smt2*"))
    for file in files[:: max(1, len(files) // most)]:
        yield gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text()


def _made(status: str, number: int) -> Iterable[str]:
    return (print_system(generated(status, Choices(b"", f"0 {status} {n}".encode())).system) for n in range(number))


def _row(name: str, efforts: list[Effort]) -> list[object]:
    """A line of the table: over what was decided, medians and what a tenth is above."""
    answers = Counter(each.answer for each in efforts)
    decided = [each for each in efforts if each.answer != "unknown"]
    row: list[object] = [name, answers["sat"], answers["unsat"], answers["unknown"]]
    for numbers in (sorted(each.levels for each in decided), sorted(each.lemmas for each in decided)):
        row += [median(numbers), numbers[len(numbers) * 9 // 10]] if numbers else ["", ""]
    return row


def main() -> None:
    """Each system once, under a resource limit."""
    flags = parser(__doc__)
    flags.add_argument("folders", nargs="*", type=Path, default=[CORPUS], metavar="DIR")
    flags.add_argument("--generate", type=int, default=50, metavar="N", help="so many of each status")
    flags.add_argument("--most", type=int, default=100, metavar="N", help="about so many of a folder")
    flags.add_argument("--rlimit", type=int, default=3_000_000, metavar="N")
    given = flags.parse_args()
    watchdog = Watchdog(20)
    texts = {str(folder): _texts(folder, given.most) for folder in given.folders}
    texts |= {f"generated {status}": _made(status, given.generate) for status in ("sat", "unsat")}
    head: list[object] = ["systems", "sat", "unsat", "unknown", "levels", "a tenth", "lemmas", "a tenth"]
    rows = [_row(name, [effort(text, given.rlimit, watchdog) for text in some]) for name, some in texts.items()]
    print_table([head, *rows])
    write_json(given.json, {"rows": rows})


if __name__ == "__main__":
    main()
