"""Units that opened a trace and may not be in the corpus yet.

With `-fork`, each job of libFuzzer writes to a corpus of its own, which libFuzzer merges later; the units of its last
jobs are lost. Without jobs, libFuzzer does not notice that a full disk cut a unit. Workers therefore keep such units in
the session's folder::

    opened/<pid>/<sha1>   units kept by a worker
    gathered/<sha1>       the same units after the campaign, on their way into the corpus
    into                  path of the corpus
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from chcfuzz.execution.files import write_whole
from chcfuzz.mutators.recipe import digest


class UnmergedUnits:
    """Units of a session, whose owner may be dead. Nothing is kept before `enable` was called."""

    def __init__(self, folder: Path) -> None:
        self._opened = folder / "opened"
        self._gathered = folder / "gathered"
        self._into = folder / "into"

    def enable(self, corpus: Path) -> None:
        """Let workers keep units that are meant for this corpus."""
        self._opened.mkdir()
        self._into.write_bytes(os.fsencode(corpus.absolute()))

    @property
    def corpus(self) -> Path | None:
        """The corpus that the units are meant for, or None if it does not exist any more."""
        try:
            corpus = Path(os.fsdecode(self._into.read_bytes()))
        except OSError:
            return None
        return corpus if corpus.is_dir() else None

    def keep(self, data: bytes) -> None:
        """Keep a unit of this worker until it is in the corpus, if the campaign has a corpus."""
        if self._opened.is_dir():
            own = self._opened / str(os.getpid())
            own.mkdir(exist_ok=True)
            write_whole(own / digest(data), data)

    def merged(self, data: bytes, corpus: Path) -> None:
        """Forget a unit of this worker that is whole in `corpus`, unless that is the corpus of a single job."""
        if self.corpus == corpus.absolute():
            (self._opened / str(os.getpid()) / digest(data)).unlink(missing_ok=True)

    def files(self) -> list[Path]:
        """Return the files of all units that were not forgotten."""
        return sorted([*self._opened.glob("*/[!.]*"), *self._gathered.glob("[!.]*")])

    def missing(self, corpus: Path) -> list[Path]:
        """Return the files of the units that are not in a corpus."""
        return [file for file in self.files() if not (corpus / file.name).exists()]

    def gather(self) -> Path | None:
        """Move the units of all workers to one new folder and return it, or None without units."""
        units = sorted(self._opened.glob("*/[!.]*"))
        if not units:
            return None
        self._gathered.mkdir()
        for unit in units:
            unit.rename(self._gathered / unit.name)
        return self._gathered

    def forget_older_than(self, seconds: float) -> None:
        """Forget the units of workers that kept nothing for `seconds`: libFuzzer has merged them."""
        for folder in self._opened.glob("*"):
            if folder.stat().st_mtime + seconds < time.time():
                shutil.rmtree(folder, ignore_errors=True)
