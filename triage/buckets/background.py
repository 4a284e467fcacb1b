"""The process that reduces and buckets what a campaign finds, while it goes on (`--triage`), at the lowest priority.

`python -m chcfuzz.triage.buckets.background FOLDER` works until its standard input ends: at once, unless the line
"finish" came before, which lets it do first what is there. With `--once FINDING` it looks into that one and prints
whether its bucket is new. What takes long is bounded by tests of a reduction, so nothing depends on a clock.

Of a bucket as many findings stay as a campaign keeps of a cause, the small ones; `buckets.json` keeps what is known of
all of them, reduced systems included. What is beyond a cause's share waits in `.surplus/` (`findings`): the cause may
be two, under the same parameters, and what comes into a bucket of its own takes its place among the findings.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import signal
import sys
import threading
from collections import Counter as Tally
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers import z3_release
from chcfuzz.triage.findings.store import SURPLUS, drop, record_of

if TYPE_CHECKING:
    from chcfuzz.triage.buckets.traits import Traits

LOWEST = 19  # added to the niceness
MOST_KNOWN = 100  # findings of a bucket in `buckets.json`, as far as they are not among those that stay
NEW, KNOWN = "new", "known"
_EVERY = 0.5  # seconds between looks at the folder
_LOCK = ".buckets.lock"


class Background:
    """Looks into the findings of a folder, one after the other; the causes that had fewest turns come first."""

    def __init__(self, folder: Path, most: int, per_bucket: int) -> None:
        """`most` tests for a reduction; `per_bucket` findings stay of a bucket."""
        self._folder = folder
        self._most = most
        self._per_bucket = per_bucket
        self._turns: Tally[str] = Tally()
        self._done: set[str] = set()

    def next(self) -> Path | None:
        """The finding whose turn it is; None where all were looked into."""
        found = [record.parent for record in self._folder.glob("*/record.json")]
        found += [record.parent for record in self._folder.glob(f"{SURPLUS}/*/record.json")]
        waiting = [path for path in found if path.name not in self._done and not path.name.startswith(".")]
        return min(
            waiting, key=lambda path: (self._turns[_cause(path)], path.parent.name == SURPLUS, path.name), default=None
        )

    def look(self, finding: Path) -> str:
        """Reduce a finding and put it into its bucket: whether that is `NEW` or `KNOWN`.

        Afterwards it is where it belongs: among the findings, or gone where there are enough. Raises `ChcfuzzError`,
        and `OSError` where the folder cannot be written.
        """
        from chcfuzz.triage.buckets.buckets import FILE, Member, bucketed, read_buckets, write_buckets
        from chcfuzz.triage.buckets.collect import reduce_quietly
        from chcfuzz.triage.buckets.traits import read_traits

        self._done.add(finding.name)
        self._turns[_cause(finding)] += 1
        reduce_quietly(finding, Solving.parsed(record_of(finding)["solving"]), self._most)
        traits = read_traits(finding)
        with open(self._folder / _LOCK, "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            before = read_buckets(self._folder / FILE)
            buckets = bucketed([*before, Member(traits)])
            mine = next(bucket for bucket in buckets if traits.id in {member.traits.id for member in bucket.members})
            is_new = len(mine.members) == 1 and traits.id not in {member.traits.id for member in before}
            if len(mine.members) <= MOST_KNOWN or traits in mine.by_size[: self._per_bucket]:
                write_buckets(self._folder / FILE, buckets)
            self._settle(finding, mine.by_size)
        if is_new:
            print(f"chcfuzz: bucket {mine.name} is new: {finding.name}", file=sys.stderr, flush=True)
        return NEW if is_new else KNOWN

    def _settle(self, finding: Path, by_size: Sequence[Traits]) -> None:
        """Let the smallest findings of a bucket stay, and no more than may; one that is not reduced is never taken out.

        What is taken out is known by its reduced system.
        """
        here = [one for one in by_size if one.name == finding.name or (self._folder / one.name).is_dir()]
        stay = {one.name for one in here[: self._per_bucket]}
        for one in here[self._per_bucket :]:
            if one.name == finding.name and finding.parent != self._folder:
                drop(self._folder, finding)
            elif one.text is not None:
                drop(self._folder, self._folder / one.name)
        if finding.name in stay and finding.parent != self._folder:
            with suppress(FileExistsError):
                os.rename(finding, self._folder / finding.name)


def _cause(finding: Path) -> str:
    return finding.name.rpartition("-")[0]


def work(background: Background, finishing: threading.Event) -> None:
    """Look into what comes, until `finishing` is set and nothing is left. What fails is told, and not tried again."""
    while True:
        finding = background.next()
        if finding is None:
            if finishing.is_set():
                return
            finishing.wait(_EVERY)
            continue
        try:
            background.look(finding)
        except (ChcfuzzError, OSError) as error:
            print(f"chcfuzz: {finding.name} has no bucket: {error}", file=sys.stderr, flush=True)


def _listen(finishing: threading.Event) -> None:
    """Wait for the end of standard input; end this process and what it has started where "finish" did not come."""
    for line in sys.stdin:
        if line.strip() == "finish":
            finishing.set()
            return
    os.kill(os.getpid(), signal.SIGTERM)


def _leave(_number: int, _frame: object) -> None:
    """Leave through all `with` and `finally`: what judges a reduction is ended, and its best so far written."""
    raise SystemExit(128 + signal.SIGTERM)


def main() -> None:
    """The process."""
    flags = argparse.ArgumentParser()
    flags.add_argument("folder", type=Path)
    flags.add_argument("--tests", type=positive, required=True)
    flags.add_argument("--per-bucket", type=positive, required=True)
    flags.add_argument("--once", type=Path)
    given = flags.parse_args()
    os.nice(LOWEST)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the supervisor's to hear
    signal.signal(signal.SIGTERM, _leave)
    z3_release.activate()
    background = Background(given.folder, given.tests, given.per_bucket)
    if given.once is not None:
        print(background.look(given.once))
        return
    finishing = threading.Event()
    threading.Thread(target=_listen, args=(finishing,), daemon=True).start()
    work(background, finishing)


if __name__ == "__main__":
    main()
