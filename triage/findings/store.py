"""The findings folder: a folder for each finding (`folder`), which is complete or not there.

::

    <signature>-<unit>/         a finding; known ones have `known` in their name (`record.FolderName`)
    .alike/<name>.json          suspicions whose signature has enough findings; `chcfuzz confirm` examines them again
    unconfirmed/<kind>-<unit>   units whose verdict did not occur in a fresh process; .json: their suspicions
    .suspicions/                suspicions that wait (`suspicions`)
    .surplus/<name>/            findings beyond the limit of their signature, until they have a bucket (`background`)
    .results                    results of examined suspicions (`suspicions`)
    .dropped                    names of findings that were removed because their bucket has enough, signed lines
                                (`execution.signed_lines`): other names could fill the limit of a signature
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter as Tally
from collections.abc import Callable, Iterable
from pathlib import Path

from chcfuzz.execution.files import read_plain, write_folder, write_whole
from chcfuzz.execution.signed_lines import append_line, read_lines
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.triage.examine.confirm import Confirmation
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.folder import files
from chcfuzz.triage.findings.record import RECORD, Finding, FolderName, Record, short_digest

SURPLUS, DROPPED, UNCONFIRMED, ALIKE = ".surplus", ".dropped", "unconfirmed", ".alike"
MOST_ALIKE = 50  # suspicions with the same signature that are kept: a frequent bug must not fill the disk
MOST_OF_SEED = 5  # suspicions with the same signature and the same seed that are kept


class FindingsError(ChcfuzzError):
    """The findings folder cannot be written; a campaign must not continue."""

    def __init__(self, folder: Path, error: OSError) -> None:
        reason = os.strerror(error.errno) if error.errno else str(error)
        super().__init__(
            f"cannot write findings to {str(folder)!r}: {reason}; make room or name another folder with --findings"
        )


class FindingStore:
    """Writes findings into a folder that several processes may share; at most `per_bucket` of each signature.

    As many findings again are kept, each of a seed without a finding of the signature: two bugs of one signature often
    occur on different seeds, and a bug that occurs on all seeds still has a bounded number of findings. With `surplus`,
    `per_bucket` more findings of a signature wait in a folder of their own until they have a bucket.

    Every method raises `FindingsError` if the folder cannot be written, and then leaves no partial finding.
    """

    def __init__(self, folder: Path, per_bucket: int, surplus: bool = False) -> None:
        self.folder = folder
        self._per_bucket = per_bucket
        self._surplus = surplus

    def prepare(self) -> None:
        """Make the folder, and check that it can be written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                pass
        except OSError as error:
            raise FindingsError(self.folder, error) from error

    def has_room(self, signature: Signature) -> bool:
        """Return whether the folder takes another finding with this signature and its seed."""
        return self._takes(signature.name, signature.seed, self._kept())

    def _takes(self, signature: str, seed: str, kept: Tally[str]) -> bool:
        if kept[signature] < self._per_bucket:
            return True
        if kept[signature] >= 2 * self._per_bucket:
            return False
        seeds = self._seeds(signature)
        return len(seeds) == kept[signature] and seed not in seeds

    def _seeds(self, signature: str) -> list[str]:
        """Return the digest of the seed of each finding with a signature; those of removed findings are not known."""
        records = filter(None, map(_record_of, self.folder.glob(f"{signature}-*")))
        return [record.signature.seed for record in records]

    def full(self, seed: str) -> list[str]:
        """Return the names of the signatures that have enough findings for a seed, given by its digest."""
        kept, waiting = self._kept(), self._waiting()
        return sorted(
            signature
            for signature in kept
            if (not self._surplus or waiting[signature] >= self._per_bucket) and not self._takes(signature, seed, kept)
        )

    def names_and_signatures(self) -> set[str]:
        """Return the names of all findings here and in the surplus, of those in `.dropped`, and their signatures."""
        names = self._names().union(path.name for path in finding_folders(self.folder / SURPLUS))
        return names.union(_tally(names))

    def _kept(self) -> Tally[str]:
        """Count the findings of each signature, including those that were removed."""
        return _tally(self._names())

    def _names(self) -> set[str]:
        names = {path.name for path in finding_folders(self.folder)}
        return names.union(read_lines(self.folder / DROPPED))

    def _waiting(self) -> Tally[str]:
        """Count the findings of each signature that wait in the surplus."""
        return _tally(path.name for path in finding_folders(self.folder / SURPLUS))

    def of_unit(self, unit: bytes, kind: str, solver: str) -> Path | None:
        """Return the folder of a unit's finding of this kind by this solver (`identity.solver_key`), or None."""
        digits = short_digest(unit)
        paths = [path for path in sorted(self.folder.glob(f"*-{digits}")) if FolderName.parse(path.name).kind == kind]
        return next((path for path in paths if _solver_of(path) == solver), None)

    def keep(self, confirmation: Confirmation) -> Path | None:
        """Write a finding; return its folder, which may exist already, or None if its signature has enough findings."""
        signature = confirmation.signature
        existing = self.of_unit(confirmation.unit, signature.kind, signature.solver)
        if existing is not None:
            return existing
        where = self.folder
        if not self.has_room(signature):
            if not self._surplus or self._waiting()[signature.name] >= self._per_bucket:
                return None
            where = self.folder / SURPLUS
        return self._write(where / str(FolderName.of(signature, confirmation.unit)), files(confirmation))

    def keep_unit(self, suspicion: Suspicion, signature: Signature) -> None:
        """Keep the suspicion of a finding that is not written, within `MOST_ALIKE` and `MOST_OF_SEED`."""
        folder = self.folder / ALIKE
        name = str(FolderName.of(signature, suspicion.unit))
        alike = sorted(folder.glob(f"{signature.name}-*.json"))
        if len(alike) >= MOST_ALIKE:
            return
        kept = filter(None, (Suspicion.read(read_plain(path)) for path in alike))
        seed = suspicion.recipe.seed
        if sum(each.recipe.seed == seed for each in kept) >= MOST_OF_SEED:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / f"{name}.json", suspicion.written())
        except OSError as error:
            raise FindingsError(self.folder, error) from error

    def kept_units(self) -> list[Path]:
        """Return the files of kept suspicions whose signature has room now, sorted."""
        kept = self._kept()
        found = sorted((self.folder / ALIKE).glob("*.json"))
        return [path for path in found if kept[FolderName.parse(path.stem).signature] < self._per_bucket]

    def put_aside(self, suspicion: Suspicion) -> Path:
        """Store a unit whose verdict did not occur again, and beside it the suspicion."""
        folder = self.folder / UNCONFIRMED
        target = folder / f"{suspicion.kind}-{short_digest(suspicion.unit)}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(target, suspicion.unit, durable=True)
            write_whole(target.with_suffix(".json"), suspicion.written(), durable=True)
        except OSError as error:
            raise FindingsError(self.folder, error) from error
        return target

    def remove(self, name: str) -> None:
        """Remove a finding that another one replaces."""
        shutil.rmtree(self.folder / name)

    def _write(self, target: Path, contents: dict[str, bytes]) -> Path:
        try:
            write_folder(target, contents)  # if another process has written the same finding, it is complete
        except OSError as error:
            raise FindingsError(self.folder, error) from error
        return target


def _solver_of(folder: Path) -> str | None:
    """Return the key of the solver of a finding, None for a damaged one; older records have a key without digits."""
    record = _record_of(folder)
    return None if record is None else record.signature.solver


def _record_of(folder: Path) -> Record | None:
    """Return the record of a finding; None for a damaged one."""
    try:
        return Finding.read(folder).record
    except ChcfuzzError:
        return None


def _tally(names: Iterable[str]) -> Tally[str]:
    """Count folder names by their signature."""
    return Tally(FolderName.parse(name).signature for name in names)


def drop(folder: Path, finding: Path) -> None:
    """Remove a finding of a findings folder because its bucket has enough. Raises `OSError`.

    Its name stays in `.dropped`, so that it is not found again, unless it was in the surplus.
    """
    if finding.parent == folder:
        append_line(folder / DROPPED, finding.name, durable=True)
    (finding / RECORD).unlink()  # first, since a folder without it is not a finding
    shutil.rmtree(finding)


def finding_folders(folder: Path) -> list[Path]:
    """Return the folders of the findings in a folder, sorted by name: complete ones, and no links to folders."""
    found = (record.parent for record in folder.glob(f"*/{RECORD}"))
    return sorted(path for path in found if not path.is_symlink() and not path.name.startswith("."))


def findings_in(folder: Path) -> list[Finding]:
    """Read the findings in a folder, sorted by name; raises `ChcfuzzError` if a record cannot be read."""
    return [Finding.read(path) for path in finding_folders(folder)]


def readable_findings(folder: Path, report: Callable[[str], None]) -> list[Finding]:
    """Read the findings in a folder, sorted by name; `report` receives a line on each one that cannot be read."""
    found = []
    for path in finding_folders(folder):
        try:
            found.append(Finding.read(path))
        except ChcfuzzError as error:
            report(str(error))
    return found
