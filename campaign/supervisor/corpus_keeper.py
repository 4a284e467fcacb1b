"""Care for the corpus folder of a campaign, in the supervisor: its files are whole, and no unit of a job is lost."""

from __future__ import annotations

import time
from pathlib import Path

from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.session.unmerged import UnmergedUnits
from chcfuzz.execution.console import print_error
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.printable import counted

_CLOCK_GRAIN = 2.0  # seconds by which file systems may round the time stamp of a file
_MERGED_AFTER = 1800.0  # seconds: a job lives for at most 300, and its corpus is merged then


class CorpusKeeper:
    """The corpus folder that libFuzzer writes into, the first one of the inputs."""

    def __init__(self, options: Options, session: Session) -> None:
        self._options = options
        self._unmerged = session.unmerged
        self._checked = time.time() - _CLOCK_GRAIN

    def prepare(self) -> None:
        """Ensure that the corpus folders can be read and the first one written. Raises `UsageError`."""
        if self._options.inputs:
            corpus_folder.prepare(self._options.inputs[0])
        corpus_folder.ensure_readable(self._options.inputs)

    def repair_after_power_cut(self) -> None:
        """Delete cut units from the corpus of a run folder, which only chcfuzz writes to."""
        corpus = self._options.inputs[0]
        if cut := corpus_folder.delete_cut(corpus):
            units = "unit" if cut == 1 else "units"
            print_error(f"chcfuzz: {cut} {units} in {str(corpus)!r} cut, as by a power cut, and deleted")

    def print_empty_folders(self) -> None:
        """Print the names of the corpus folders if they hold no unit, and of a folder that was added for new ones."""
        if self._options.spares_own_seeds:
            new, own, *_ = (repr(str(folder)) for folder in self._options.inputs)
            print_error(f"chcfuzz: {own} is only read, because it belongs to the project; new units go to {new}")
        folders = self._options.inputs[1:] if self._options.merges else self._options.inputs
        if folders and not any(file.is_file() for folder in folders for file in folder.rglob("*")):
            names = ", ".join(repr(str(folder)) for folder in folders)
            print_error(f"chcfuzz: {names} is empty; the campaign starts from the built-in seeds")

    def keep_unmerged(self) -> None:
        """Let workers keep units until they are in the corpus."""
        if self._options.grown is not None:
            self._unmerged.enable(self._options.grown)

    def forget_merged(self) -> None:
        """Forget the units of jobs that libFuzzer has merged."""
        self._unmerged.forget_older_than(_MERGED_AFTER)

    def gather(self) -> str | None:
        """Return a folder with the units of all jobs, or None without such units."""
        folder = self._unmerged.gather()
        return None if folder is None else str(folder)

    def write_unmerged(self) -> bool:
        """Write the units that opened a trace and that libFuzzer did not get, as at the end of a short campaign.

        Return False after a message if they cannot be written; they are saved beside the findings then.
        """
        corpus = self._options.inputs[0]
        try:
            for unit in self._unmerged.missing(corpus):
                write_whole(corpus / unit.name, unit.read_bytes(), mode=0o644)
        except OSError as error:
            print_error(f"chcfuzz: cannot write the corpus {str(corpus)!r}: {error.strerror}; make room")
            self.save_unmerged()
            return False
        return True

    def save_unmerged(self) -> None:
        """Save the units that are not in the corpus beside the findings: the corpus folder is full."""
        lost = self._unmerged.missing(self._options.inputs[0])
        folder = corpus_folder.save((unit.read_bytes() for unit in lost), self._options.findings)
        if lost and folder:
            print_error(f"chcfuzz: {counted(len(lost), 'unit', 'is', 'are')} in {str(folder)!r}, and not in the corpus")

    def check(self) -> bool:
        """Ensure that the units written since the last check are whole; print a message and return False if not."""
        if not (self._options.is_campaign and self._options.inputs):
            return True
        try:
            corpus_folder.repair(
                self._options.inputs[0],
                self._checked,
                self._unmerged.files(),
                self._options.findings,
                corpus_folder.MERGED if self._options.merges else corpus_folder.GONE,
            )
        except UsageError as error:
            print_error(f"chcfuzz: {error}")
            return False
        finally:
            self._checked = time.time() - _CLOCK_GRAIN
        return True


def rescue(left: Path) -> str:
    """Write the units of the jobs of a killed campaign into its corpus; return what was done as half a sentence.

    `left` is the campaign's temporary folder. Raises `UsageError` if the corpus cannot be written.
    """
    unmerged = UnmergedUnits(left)
    corpus = unmerged.corpus
    if corpus is None:
        return ""
    lost = unmerged.missing(corpus)
    try:
        for unit in lost:
            write_whole(corpus / unit.name, unit.read_bytes())
    except OSError as error:
        problem = f"cannot write units of a killed campaign to {str(corpus)!r}: {error.strerror}"
        raise UsageError(f"{problem}; make room, or delete them with {str(left)!r}") from error
    return f"{counted(len(lost), 'unit', 'is', 'are')} in {str(corpus)!r} now; " if lost else ""
