"""Measure the memory of a campaign's worker, minute by minute.

python -m bench.speed.memory --minutes 60    # on corpus/
python -m bench.speed.memory imported --minutes 60

The worker is one process for the whole campaign, unless it dies. Its size is its resident memory; `private` excludes
memory that is mapped from files: libraries, and the tables that processes share. The last line is the slope of the
second half.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.campaigns import CORPUS, SPACER, parser, print_table, write_json

Sample = tuple[float, int, int, int]  # seconds, process, resident and private megabytes
_EVERY = 5.0  # seconds


def samples(arguments: list[str], corpora: list[Path], seconds: int) -> Iterator[Sample]:
    """Run a campaign with new folders, and yield the size of its worker every few seconds."""
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as name:
        folder = Path(name)
        own = [f"--findings={folder / 'findings'}", "-seed=1", f"-max_total_time={seconds}", *arguments]
        command = [sys.executable, str(SPACER), *own, f"{folder / 'grown'}/", *map(str, corpora)]
        with open(folder / "log", "wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as campaign:
            start = time.monotonic()
            while campaign.poll() is None:
                time.sleep(_EVERY)
                worker = _worker(campaign.pid)
                if worker is not None:
                    yield time.monotonic() - start, *worker
        log_lines = (folder / "log").read_text(errors="replace").splitlines()
        print("\n".join(log_lines[-12:]))


def _worker(supervisor: int) -> tuple[int, int, int] | None:
    """Return the largest child of a process and its sizes; None between two workers."""
    try:
        children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    except OSError:
        return None
    return max((found for child in children if (found := _sizes(int(child)))), key=lambda found: found[1], default=None)


def _sizes(process: int) -> tuple[int, int, int] | None:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return None
    sizes = {
        line.split(":")[0]: int(line.split()[1]) // 1024 for line in lines if line.startswith(("VmRSS", "RssAnon"))
    }
    return (process, sizes["VmRSS"], sizes["RssAnon"]) if len(sizes) == 2 else None


def slope(found: list[Sample]) -> float:
    """Return the growth in private megabytes per minute, by least squares over the second half."""
    half = [(seconds / 60, private) for seconds, _, _, private in found if seconds >= found[-1][0] / 2]
    mean_x = sum(x for x, _ in half) / len(half)
    mean_y = sum(y for _, y in half) / len(half)
    return sum((x - mean_x) * (y - mean_y) for x, y in half) / sum((x - mean_x) ** 2 for x, _ in half)


def main() -> None:
    """Run the campaign and print a row for each minute."""
    flags = parser(__doc__)
    flags.add_argument("corpora", nargs="*", type=Path, default=[CORPUS], metavar="DIR")
    flags.add_argument("--minutes", type=int, default=60)
    flags.add_argument("--flag", action="append", default=[], help="a flag for the campaign")
    given = flags.parse_args()
    found = list(samples(given.flag, given.corpora, 60 * given.minutes))
    rows: list[list[object]] = [["minute", "process", "resident MB, highest", "private MB, lowest", "highest"]]
    for minute in range(int(found[-1][0] // 60) + 1):
        here = [sample for sample in found if int(sample[0] // 60) == minute]
        if here:
            private = [sample[3] for sample in here]
            rows.append([str(minute), str(here[-1][1]), max(s[2] for s in here), min(private), max(private)])
    print_table(rows)
    print(f"{slope(found):+.2f} MB a minute over the second half")
    write_json(given.json, found)


if __name__ == "__main__":
    main()
