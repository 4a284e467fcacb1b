"""The process beside a campaign that reduces and buckets its findings (`triage.background`), from the outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from chcfuzz.campaign.console import tell
from chcfuzz.solvers import python
from chcfuzz.triage.buckets.background import KNOWN

_MODULE = "chcfuzz.triage.buckets.background"
_EVERY = 0.2  # seconds between looks at whether somebody wants to leave
_GRACE = 10.0  # seconds for it to end what it has started


class Triaging:
    """`start` it when the findings folder is there; it is over after `finish` or `stop`."""

    def __init__(self, findings: Path, tests: int, per_bucket: int) -> None:
        """A reduction has at most `tests` tests; `per_bucket` findings stay of a bucket."""
        self._findings = findings
        self._command = python.command("-m", _MODULE, str(findings), f"--tests={tests}", f"--per-bucket={per_bucket}")
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Begin, at the lowest priority; what it prints goes to stderr."""
        self._process = subprocess.Popen(
            self._command, env=python.environment(), stdin=subprocess.PIPE, text=True, process_group=0
        )

    def finish(self, seconds: float, unless: Callable[[], bool] = lambda: False) -> None:
        """Let it look into what is there, and end it, after so many seconds at the latest; tell what buckets there are.

        It ends at once where it comes true that nobody wants to wait.
        """
        if self._process is None:
            return
        with suppress(BrokenPipeError):
            assert self._process.stdin is not None
            self._process.stdin.write("finish\n")
            self._process.stdin.flush()
        until = time.monotonic() + seconds
        while self._process.poll() is None and not unless() and time.monotonic() < until:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_EVERY)
        self.stop()
        tell(f"chcfuzz: {_told(self._findings)}")

    def stop(self) -> None:
        """End it now; what was reduced so far stays, and the next campaign goes on from there."""
        if self._process is None:
            return
        process, self._process = self._process, None
        with suppress(BrokenPipeError):
            assert process.stdin is not None
            process.stdin.close()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def is_known(self, finding: Path) -> bool:
        """Whether a finding's bucket was there before; it is reduced and bucketed for that. What has none is news."""
        command = [*self._command, f"--once={finding}"]
        done = subprocess.run(command, env=python.environment(), stdout=subprocess.PIPE, text=True, check=False)
        return done.returncode == 0 and done.stdout.strip() == KNOWN


def _told(findings: Path) -> str:
    """On one line, what buckets there are."""
    file = findings / "buckets.json"
    try:
        buckets = json.loads(file.read_bytes())["buckets"]
    except (OSError, ValueError, KeyError, TypeError):
        return "no buckets of findings"
    number = sum(len(bucket["findings"]) for bucket in buckets)
    return f"{len(buckets)} buckets of {number} findings in {str(file)!r}; `chcfuzz triage {findings}` shows them"
