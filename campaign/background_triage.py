"""The process that reduces and buckets the findings of a running campaign (`triage.buckets.background`)."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from shlex import quote

from chcfuzz.execution.channel import Channel, NewChannel
from chcfuzz.execution.child_process import ChildProcess
from chcfuzz.execution.codec import CodecError, from_json
from chcfuzz.execution.console import print_error
from chcfuzz.execution.files import LinkError, is_name, read_plain
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printable import counted
from chcfuzz.solvers.process_group import Streams
from chcfuzz.triage.buckets.background import Bucketed, Finish
from chcfuzz.triage.findings.store import finding_folders
from msgspec import Struct

PLAIN = Solving()
_FILE = "buckets.json"
_MODULE = "chcfuzz.triage.buckets.background"
_EVERY = 0.2  # seconds between two checks whether the user wants to leave
_GRACE = 10.0  # seconds for the process to end its own children


class BackgroundTriage:
    """The process, between `start` and `finish` or `stop`."""

    def __init__(self, findings: Path, tests: int, per_bucket: int, solving: Solving = PLAIN) -> None:
        """Allow at most `tests` tests for a reduction, and keep `per_bucket` findings of a bucket.

        `solving` is the configuration of the campaign; only its programs are run.
        """
        self._findings = findings
        self._words = ["-m", _MODULE, str(findings), f"--tests={tests}", f"--per-bucket={per_bucket}"]
        self._words += solving.arguments
        self._process: ChildProcess | None = None
        self.channel: Channel | None = None

    @property
    def pid(self) -> int | None:
        """The process id, or None if the process does not run."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the process in an existing findings folder; it prints to standard error."""
        self._process, self.channel = _started(self._words)

    def finish(self, seconds: float, is_in_a_hurry: Callable[[], bool] = lambda: False) -> None:
        """Let the process examine the existing findings for at most `seconds`, end it, and print a line about buckets.

        It is ended at once when `is_in_a_hurry` becomes true.
        """
        if self._process is None or self.channel is None:
            return
        with suppress(OSError):  # the process may have died
            self.channel.send(Finish())
        until = time.monotonic() + seconds
        while not is_in_a_hurry() and time.monotonic() < until and not self._process.has_exited(_EVERY):
            pass
        self.stop()
        if line := _describe_buckets(self._findings):
            print_error(f"chcfuzz: {line}")

    def stop(self) -> None:
        """End the process now. Finished reductions are kept, and the next campaign continues from there."""
        if self._process is None or self.channel is None:
            return
        process, self._process = self._process, None
        self.channel.close()
        process.end(_GRACE)

    def is_known(self, finding: Path) -> bool:
        """Reduce and bucket a finding; return whether its bucket existed before. False if it gets no bucket."""
        process, channel = _started([*self._words, f"--once={finding}"])
        try:
            bucketed = channel.receive(Bucketed)
            process.reap()
        finally:
            channel.close()
            process.end()
        return bucketed is not None and not bucketed.is_new


def _started(words: list[str]) -> tuple[ChildProcess, Channel]:
    new = NewChannel()
    process = ChildProcess(words, Streams(subprocess.DEVNULL, inherited=(new.descriptor,)), new.environment)
    return process, new.started()


def _describe_buckets(findings: Path) -> str:
    """Return a line about the buckets in a findings folder; empty without findings."""
    folder, buckets = quote(str(findings)), stored_buckets(findings)
    if buckets is None:
        waiting = bool(finding_folders(findings))
        return f"no finding is in a bucket yet; `chcfuzz triage {folder}` continues" if waiting else ""
    number = sum(len(bucket.findings) for bucket in buckets)
    file = str(findings / _FILE)
    found = f"{counted(len(buckets), 'bucket')} of {counted(number, 'finding')}"
    return f"{found} in {file!r}; `chcfuzz triage {folder}` lists them"


class StoredBucket(Struct, frozen=True):
    """The fields of a bucket in `buckets.json` that a campaign reads; `representative` names a finding."""

    name: str
    representative: str
    findings: tuple[dict[str, object], ...] = ()


class _StoredBuckets(Struct, frozen=True):
    buckets: tuple[StoredBucket, ...]


def stored_buckets(findings: Path) -> tuple[StoredBucket, ...] | None:
    """Return the buckets in a findings folder; None if it does not have a `buckets.json` that can be read."""
    try:
        found = from_json(read_plain(findings / _FILE), _StoredBuckets).buckets
    except (OSError, LinkError, CodecError):
        return None
    return tuple(bucket for bucket in found if is_name(bucket.representative))
