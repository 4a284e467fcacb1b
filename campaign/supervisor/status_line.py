"""The status line of a campaign: redrawn in place on a terminal, printed from time to time elsewhere."""

from __future__ import annotations

import os
import shutil
import sys

from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.supervisor.news import describe_age
from chcfuzz.campaign.supervisor.status import Progress
from chcfuzz.execution.console import ERASE, REDRAWS, print_error, show_status
from chcfuzz.grammar.printable import counted

PRINT_SECONDS, REDRAW_SECONDS = 30.0, 1.0  # between two status lines
_FIRST_SECONDS = 5.0  # a user soon sees that something happens
_SEPARATOR = " | "


def can_redraw() -> bool:
    """Return whether standard error is a terminal that can erase a line."""
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb" and bool(ERASE)


class StatusLine:
    """Shows the progress of a campaign every `seconds`, by default as the terminal allows."""

    def __init__(self, seconds: float | None) -> None:
        self._redraws = bool(os.environ.get(REDRAWS))
        self._seconds = seconds or (REDRAW_SECONDS if self._redraws else PRINT_SECONDS)
        self._next = 0.0 if self._redraws else min(_FIRST_SECONDS, self._seconds)

    @property
    def columns(self) -> int | None:
        """Width of the terminal on which the line is redrawn; None elsewhere."""
        return shutil.get_terminal_size().columns if self._redraws else None

    def is_due(self, now: float) -> bool:
        """Return whether it is time for the next line; `now` is in seconds of the campaign."""
        if now < self._next:
            return False
        self._next = now + self._seconds
        return True

    def show(self, progress: Progress) -> None:
        """Print the line, or redraw it."""
        if self.columns is not None:
            show_status(fitted(progress, self.columns - 1))
        else:
            print_error(progress.line())

    def erase(self) -> None:
        """Remove the line from the terminal."""
        if self._redraws:
            show_status("")


def fitted(progress: Progress, width: int) -> str:
    """Return the most detailed line of at most `width` characters."""
    for detail in (2, 1, 0):
        line = _SEPARATOR.join(_parts(progress, detail))
        if len(line) <= width:
            return line
    return line[:width]


def _parts(progress: Progress, detail: int) -> list[str]:
    """Return the parts of the line; with less detail, the same facts in fewer words."""
    seconds = int(progress.seconds + progress.finishing_seconds)
    clock = f"{seconds // 60}:{seconds % 60:02}"
    found = sum(progress.findings.values())
    trace, bucket = describe_age(progress.trace_age), describe_age(progress.bucket_age)
    traces = f"{progress.unique_traces:,} trace{'' if progress.unique_traces == 1 else 's'}"
    rate = f"{progress.solved:,} solved, {progress.solved_per_second:.1f}/s"
    if detail == 2:
        parts = [
            f"chcfuzz {clock}",
            f"{rate}, solver {progress.solver_share:.0%}",
            traces + (f", the last new one {trace} ago" if trace else ""),
            f"{counted(found, 'finding')}, {progress.buckets} different"
            + (f", the last new one {bucket} ago" if bucket else ""),
        ]
    elif detail == 1:
        parts = [
            clock,
            rate,
            traces + (f", new {trace} ago" if trace else ""),
            f"{found} found, {progress.buckets} different" + (f", new {bucket} ago" if bucket else ""),
        ]
    else:
        parts = [
            clock,
            f"{progress.solved_per_second:.1f}/s",
            traces + (f" ({trace})" if trace else ""),
            f"{progress.buckets} found" + (f" ({bucket})" if bucket else ""),
        ]
    if progress.reading is not None:
        parts.insert(1, "reading seeds {}/{}".format(*progress.reading))
    parts += [f"{progress.waiting} to confirm"] if progress.waiting else []
    parts += ["fuzzing has ended"] if progress.finishing_seconds else []
    return parts + ([f"internal errors {progress[Counter.OWN_ERRORS]}"] if progress[Counter.OWN_ERRORS] else [])
