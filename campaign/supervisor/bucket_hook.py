"""The command of `--on-bucket`, which is run for each new bucket, or for each new signature without `--triage`."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from chcfuzz.campaign.background_triage import stored_buckets
from chcfuzz.campaign.session.marks import FindingMarks
from chcfuzz.execution.console import LOG, REDRAWS, print_error
from chcfuzz.triage.findings.record import FolderName


class BucketHook:
    """Runs a command with a finding's folder as its last word, one at a time, for what is new since `begin`."""

    def __init__(self, command: str, findings: Path, marks: FindingMarks, uses_buckets: bool) -> None:
        self._command = command
        self._findings = findings
        self._marks = marks
        self._uses_buckets = uses_buckets
        self._seen: set[str] = set()
        self._waiting: list[tuple[str, str]] = []
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self, earlier: frozenset[str]) -> None:
        """Note the buckets, or the signatures of earlier findings, that are not new."""
        self._seen = (
            set(self._buckets()) if self._uses_buckets else {FolderName.parse(name).signature for name in earlier}
        )

    def update(self) -> None:
        """Queue what is new, and run the next command if none runs."""
        for name, finding in self._current().items():
            if name not in self._seen:
                self._seen.add(name)
                self._waiting.append((name, finding))
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return
            if code:
                print_error(f"chcfuzz: --on-bucket={self._command} ended with exit code {code}")
            self._process = None
        if self._waiting:
            self._start(*self._waiting.pop(0))

    def finish(self, seconds: float) -> None:
        """Run the commands that wait, each for at most these seconds."""
        self.update()
        while self._process is not None:
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self.update()

    def _start(self, bucket: str, finding: str) -> None:
        folder = self._findings / finding
        environment = {name: value for name, value in os.environ.items() if name not in (LOG, REDRAWS)}
        environment |= {"CHCFUZZ_BUCKET": bucket, "CHCFUZZ_FINDING": str(folder)}
        try:
            self._process = subprocess.Popen(
                [*shlex.split(self._command), str(folder)], env=environment, stdin=subprocess.DEVNULL
            )
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
