"""The command of `--on-bucket`, which is run for each new bucket, or for each new signature without `--triage`."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from chcfuzz.campaign.background_triage import stored_buckets
from chcfuzz.campaign.session.marks import FindingMarks
from chcfuzz.execution.console import LOG, REDRAWS, print_error
from chcfuzz.solvers.process_group import ProcessGroup, Streams
from chcfuzz.triage.findings.record import FolderName

MOST_SECONDS = 600.0  # for one command
_TICK = 0.1  # seconds


class BucketHook:
    """Runs a command with a finding's folder as its last word, one at a time, for what is new since `begin`."""

    def __init__(self, command: str, findings: Path, marks: FindingMarks, uses_buckets: bool) -> None:
        self._command = command
        self._findings = findings
        self._marks = marks
        self._uses_buckets = uses_buckets
        self._seen: set[str] = set()
        self._waiting: list[tuple[str, str]] = []
        self._process: ProcessGroup | None = None
        self._until = 0.0  # on the monotonic clock, when the command that runs is killed

    def begin(self, earlier: frozenset[str]) -> None:
        """Note the buckets, or the signatures of earlier findings, that are not new."""
        self._seen = (
            set(self._buckets()) if self._uses_buckets else {FolderName.parse(name).signature for name in earlier}
        )

    def update(self) -> None:
        """Queue what is new, and run the next command if none runs; kill one that runs for too long."""
        for name, finding in self._current().items():
            if name not in self._seen:
                self._seen.add(name)
                self._waiting.append((name, finding))
        if self._process is not None and self._process.has_exited():
            self._end()
        elif self._process is not None and time.monotonic() > self._until:
            self._print(f"has not ended after {MOST_SECONDS:g} s, and is killed")
            self.stop()
        if self._process is None and self._waiting:
            self._start(*self._waiting.pop(0))

    def finish(self, seconds: float, is_in_a_hurry: Callable[[], bool] = lambda: False) -> None:
        """Run the commands that wait for at most these seconds, all together, and only until the user is in a hurry."""
        until = time.monotonic() + seconds
        self.update()
        while self._process is not None and time.monotonic() < until and not is_in_a_hurry():
            self._process.has_exited(min(seconds, _TICK))
            self.update()
        if self._process is not None:
            self._print(f"is killed, because the campaign has ended; {len(self._waiting)} more were not run")
        self.stop()

    def stop(self) -> None:
        """End the command that runs, with all that it has started."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _end(self) -> None:
        assert self._process is not None
        code = self._process.close()
        self._process = None
        if code:
            self._print(f"ended with exit code {code}")

    def _print(self, what: str) -> None:
        print_error(f"chcfuzz: --on-bucket={self._command} {what}")

    def _start(self, bucket: str, finding: str) -> None:
        folder = self._findings / finding
        environment = {name: value for name, value in os.environ.items() if name not in (LOG, REDRAWS)}
        environment |= {"CHCFUZZ_BUCKET": bucket, "CHCFUZZ_FINDING": str(folder)}
        self._until = time.monotonic() + MOST_SECONDS
        try:
            words = [*shlex.split(self._command), str(folder)]
            self._process = ProcessGroup(words, Streams(subprocess.DEVNULL), environment)
        except OSError as error:
            print_error(f"chcfuzz: cannot run --on-bucket={self._command}: {error.strerror}")

    def _current(self) -> Mapping[str, str]:
        """Return a finding for each bucket or signature."""
        if self._uses_buckets:
            return self._buckets()
        found: dict[str, str] = {}
        for _, name in self._marks.named():
            found.setdefault(FolderName.parse(name).signature, name)
        return found

    def _buckets(self) -> dict[str, str]:
        return {row.name: row.representative for row in stored_buckets(self._findings) or ()}
