"""Log files of a campaign: lines for people, and the output of libFuzzer and of solvers, one file for each worker slot.

A file that exceeds its limit becomes `<name>.1`, an older one `<name>.2`, and so on; the oldest is deleted.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from chcfuzz.execution.console import LOG
from chcfuzz.execution.files import open_plain

MOST_BYTES = 2 << 20  # of a file
KEPT = 3  # older files of each name
_TAIL = 4096  # bytes at the end of a log in which reasons are searched


class Logs:
    """The folder with the log files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.campaign = folder / "campaign.log"

    def prepare(self) -> None:
        """Create the folder. If that is not possible, nothing is logged."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)

    def of_worker(self, slot: int) -> Path:
        """Return the file for the output of libFuzzer and the solver in a worker slot."""
        return self.folder / f"worker-{slot}.log"

    def rotate(self) -> None:
        """Rotate the files that exceed the limit."""
        for file in sorted(self.folder.glob("*.log")):
            with contextlib.suppress(OSError):
                if file.stat().st_size > MOST_BYTES:
                    _rotate(file, is_open=file != self.campaign)

    def last_error(self, slot: int) -> str:
        """Return the last line of a worker's log that reports an error, or an empty text."""
        try:
            with open_plain(self.of_worker(slot)) as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
                lines = file.read().decode("utf-8", "replace").splitlines()
        except OSError:
            return ""
        return next((line.strip() for line in reversed(lines) if "ERROR" in line), "")


@contextlib.contextmanager
def logged(logs: Logs, environment: Mapping[str, str]) -> Iterator[None]:
    """Let this process and its children log to the campaign's file inside the `with`, with more variables set."""
    logs.prepare()
    names = {LOG: str(logs.campaign), **environment}
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(names)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _rotate(file: Path, is_open: bool) -> None:
    """Rotate a file. A file that a worker holds open is copied and truncated, because the worker appends to it."""
    older = [file.with_name(f"{file.name}.{number}") for number in range(1, KEPT + 1)]
    for number in reversed(range(1, KEPT)):
        with contextlib.suppress(FileNotFoundError):
            older[number - 1].replace(older[number])
    if is_open:
        shutil.copyfile(file, older[0])
        os.truncate(file, 0)
    else:
        file.replace(older[0])
