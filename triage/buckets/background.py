"""The process that reduces findings and puts them into buckets during a campaign (`--triage`), at the lowest priority.

`python -m chcfuzz.triage.buckets.background FOLDER` runs until its parent closes the channel (`execution.channel`). It
then stops at once, unless `Finish` came before: then it first completes the findings that exist. With `--once FINDING`
it handles that finding and sends the result. Each reduction is limited by a number of tests, never by a clock.

At most `--per-bucket` findings of a bucket are kept, the smallest ones; `buckets.json` keeps the reduced systems of all
of them. Findings beyond the limit of their signature wait in `.surplus/` (`findings.store`), because findings with one
signature may have several causes: those that get a bucket of their own move to the other findings.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import signal
import threading
from collections import Counter as Tally
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.execution.channel import Channel
from chcfuzz.execution.console import print_error
from chcfuzz.execution.files import open_plain
from chcfuzz.execution.flags import positive
from chcfuzz.execution.recorded_flags import trusted
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import printable
from chcfuzz.mutators import roots
from chcfuzz.solvers import z3_release
from chcfuzz.triage.findings.record import Finding, FolderName
from chcfuzz.triage.findings.store import SURPLUS, drop, finding_folders

if TYPE_CHECKING:
    from chcfuzz.triage.buckets.traits import Traits

PLAIN = Solving()
LOWEST = 19  # added to the niceness
MAX_STORED = 100  # findings of a bucket in `buckets.json`, not counting those that are kept
NEW, KNOWN = "new", "known"
_POLL_SECONDS = 0.5
_LOCK = ".buckets.lock"


@dataclass(frozen=True)
class Finish:
    """Request to complete the findings that exist, and to exit."""


@dataclass(frozen=True)
class Bucketed:
    """A finding, the name of its bucket, whether that is new, and a line on the reduction if there was one."""

    finding: str
    bucket: str
    is_new: bool
    reduction: str | None

    @property
    def state(self) -> str:
        """`NEW` or `KNOWN`."""
        return NEW if self.is_new else KNOWN

    def lines(self) -> list[str]:
        """Return the messages for the console."""
        lines = [] if self.reduction is None else [f"{self.finding} {self.reduction}"]
        return [*lines, f"bucket {self.bucket} is new: {self.finding}"] if self.is_new else lines


class Background:
    """Reduction and bucketing of the findings in a folder.

    Signatures take turns: the next finding is one whose signature had the fewest turns.
    """

    def __init__(self, folder: Path, max_tests: int, per_bucket: int, own: Solving = PLAIN) -> None:
        """Prepare; a reduction has at most `max_tests` tests, and `per_bucket` findings of a bucket are kept.

        `own` is the configuration of the campaign; findings that run other code are not reduced.
        """
        self._own = own
        self._folder = folder
        self._max_tests = max_tests
        self._per_bucket = per_bucket
        self._turns: Tally[str] = Tally()
        self._done: set[str] = set()

    def next(self) -> Path | None:
        """Return the next finding; None if all are done."""
        found = [*finding_folders(self._folder), *finding_folders(self._folder / SURPLUS)]
        waiting = [path for path in found if path.name not in self._done and not path.name.startswith(".")]
        return min(
            waiting,
            key=lambda path: (self._turns[_signature(path)], path.parent.name == SURPLUS, path.name),
            default=None,
        )

    def process(self, finding: Path) -> Bucketed:
        """Reduce a finding and put it into its bucket.

        Afterwards it is kept among the findings, or removed if its bucket has enough smaller ones. Raises
        `ChcfuzzError`, and `OSError` if the folder cannot be written.
        """
        from chcfuzz.triage.buckets.buckets import FILE, bucketed, joined, read_buckets, write_buckets
        from chcfuzz.triage.buckets.traits import read_traits
        from chcfuzz.triage.reduce.reduction import try_to_reduce

        self._done.add(finding.name)
        self._turns[_signature(finding)] += 1
        recorded = Finding.read(finding).record.solving
        reduction = try_to_reduce(finding, lambda: trusted(recorded, self._own), self._max_tests)
        traits = read_traits(finding)
        with open_plain(self._folder / _LOCK, "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            before = read_buckets(self._folder / FILE)
            buckets = bucketed(joined(before, [traits]))
            mine = next(bucket for bucket in buckets if traits.id in {member.traits.id for member in bucket.members})
            is_new = len(mine.members) == 1 and traits.id not in {member.traits.id for member in before}
            if len(mine.members) <= MAX_STORED or traits in mine.by_size[: self._per_bucket]:
                write_buckets(self._folder / FILE, buckets)
            self._keep_smallest(finding, traits, {member.traits.name for member in mine.members})
        return Bucketed(finding.name, mine.name, is_new, reduction)

    def _keep_smallest(self, finding: Path, new: Traits, names: Set[str]) -> None:
        """Keep the smallest findings of a bucket and of the finding's solver, up to the limit, and remove the others.

        A finding that is not reduced is never removed, because `buckets.json` only keeps reduced systems. That file may
        come from somebody else: it gives the `names` of candidates, whose traits are read from their folders.
        """
        here = [one for one in self._alike(new, names) if (one.solver, one.release) == (new.solver, new.release)]
        kept = {one.name for one in here[: self._per_bucket]}
        for one in here[self._per_bucket :]:
            if one.text is not None:
                drop(self._folder, finding if one.name == finding.name else self._folder / one.name)
        if finding.name in kept and finding.parent != self._folder:
            with suppress(FileExistsError):
                os.rename(finding, self._folder / finding.name)

    def _alike(self, new: Traits, names: Set[str]) -> Sequence[Traits]:
        """Return a finding with the others of these names in the folder that are in its bucket, the smallest first."""
        from chcfuzz.triage.buckets.buckets import Member, bucketed
        from chcfuzz.triage.buckets.traits import read_traits

        found = [new]
        for path in finding_folders(self._folder):
            if path.name in names - {new.name}:
                with suppress(ChcfuzzError):
                    found.append(read_traits(path))
        buckets = bucketed([Member(traits) for traits in found])
        return next(bucket.by_size for bucket in buckets if new in bucket.by_size)


def _signature(finding: Path) -> str:
    return FolderName.parse(finding.name).signature


def work(background: Background, finishing: threading.Event, log: Callable[[str], None]) -> None:
    """Process findings until `finishing` is set and none is left. A finding that fails is logged and not retried."""
    while True:
        finding = background.next()
        if finding is None:
            if finishing.is_set():
                return
            finishing.wait(_POLL_SECONDS)
            continue
        try:
            for line in background.process(finding).lines():
                log(line)
        except (ChcfuzzError, OSError) as error:
            log(f"{finding.name} was not put into a bucket: {error}")


def _listen(channel: Channel, finishing: threading.Event) -> None:
    """Wait for `Finish`; end this process and its children if the parent closes the channel or dies instead."""
    if channel.receive(Finish) is None:
        os.kill(os.getpid(), signal.SIGTERM)
    finishing.set()


def _leave(_number: int, _frame: object) -> None:
    """Leave through every `with` and `finally`, which ends the pool and writes the best result of a reduction."""
    raise SystemExit(128 + signal.SIGTERM)


def _log(line: str) -> None:
    print_error(f"chcfuzz: {printable(line)}")


def main() -> None:
    """Run the process."""
    flags = argparse.ArgumentParser()
    flags.add_argument("folder", type=Path)
    flags.add_argument("--tests", type=positive, required=True)
    flags.add_argument("--per-bucket", type=positive, required=True)
    flags.add_argument("--once", type=Path)
    Solving.add_flags(flags)
    given = flags.parse_args()
    channel = Channel.inherited()
    os.nice(LOWEST)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor handles Ctrl-C
    signal.signal(signal.SIGTERM, _leave)
    z3_release.activate()
    own = Solving.of(given)
    roots.load(own.domain)
    background = Background(given.folder, given.tests, given.per_bucket, own)
    finishing = threading.Event()
    threading.Thread(target=_listen, args=(channel, finishing), daemon=True).start()
    if given.once is not None:
        bucketed = background.process(given.once)
        for line in bucketed.lines():
            _log(line)
        channel.send(bucketed)
        return
    work(background, finishing, _log)


if __name__ == "__main__":
    main()
