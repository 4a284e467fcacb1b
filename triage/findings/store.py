"""The findings folder: what was confirmed and what contradicts itself, a folder each (`folder`), whole or not there.

::

    <kind>-<cause>-<unit>/      what Spacer's maintainers know already has `known` in its name (`cause.Cause.bucket`)
    unconfirmed/<kind>-<unit>   units whose verdict did not come again in a fresh process; .json: what was suspected
    .suspicions/                what waits to be looked into (`suspicion.Box`)
    .surplus/<name>/            findings beyond the share of their cause, until they have a bucket (`background`)
    .dropped                    the names of those that were taken out because there are enough of their bucket
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections import Counter as Tally
from contextlib import suppress
from pathlib import Path
from typing import Any

from chcfuzz.execution.files import write_whole
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.parse import parse
from chcfuzz.mutators.recipe import digest
from chcfuzz.triage.examine.confirm import Confirmation
from chcfuzz.triage.examine.scope import standing
from chcfuzz.triage.examine.signature import Cause
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.folder import FORMAT, files


class FindingsError(ChcfuzzError):
    """The findings folder cannot be written; the campaign must not go on as if it could."""

    def __init__(self, folder: Path, error: OSError) -> None:
        reason = os.strerror(error.errno) if error.errno else str(error)
        super().__init__(
            f"cannot write findings to {str(folder)!r}: {reason}; make room or name another folder with --findings"
        )


SURPLUS, DROPPED = ".surplus", ".dropped"


class FindingStore:
    """Writes findings into a folder that several processes may share; at most `per_bucket` of one cause.

    With `surplus`, as many more wait for a look at whether they are of that cause at all.

    Every method raises `FindingsError` where the folder cannot be written, and then leaves nothing half written.
    """

    def __init__(self, folder: Path, per_bucket: int, surplus: bool = False) -> None:
        self.folder = folder
        self._per_bucket = per_bucket
        self._surplus = surplus

    def prepare(self) -> None:
        """Make the folder and see that it can be written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                pass
        except OSError as error:
            raise FindingsError(self.folder, error) from error

    def has_room(self, cause: Cause) -> bool:
        """Whether another finding of this cause is wanted among the findings."""
        return self._there()[cause.bucket] < self._per_bucket

    def full(self) -> list[str]:
        """The causes of which there are enough, by the names that their folders begin with."""
        waiting = self._waiting()
        return sorted(
            bucket
            for bucket, number in self._there().items()
            if number >= self._per_bucket and (not self._surplus or waiting[bucket] >= self._per_bucket)
        )

    def _there(self) -> Tally[str]:
        """How many findings of each cause there are, and were before they were taken out."""
        names = {path.parent.name for path in self.folder.glob("*/record.json")}
        with suppress(FileNotFoundError):
            names.update((self.folder / DROPPED).read_text().split())
        return Tally(name.rpartition("-")[0] for name in names)

    def _waiting(self) -> Tally[str]:
        """How many are waiting beyond the share of their cause."""
        return Tally(path.parent.name.rpartition("-")[0] for path in self.folder.glob(f"{SURPLUS}/*/record.json"))

    def of_unit(self, unit: bytes, kind: str) -> Path | None:
        """The folder of a unit's finding; None if there is none."""
        return next(iter(sorted(self.folder.glob(f"{kind}-*-{digest(unit)[:12]}"))), None)

    def keep(self, confirmation: Confirmation) -> Path | None:
        """Write a finding; its folder, which may be there already, or None where there are enough of its cause."""
        cause = confirmation.cause
        here = self.of_unit(confirmation.unit, cause.kind)
        if here is not None:
            return here
        where = self.folder
        if not self.has_room(cause):
            if not self._surplus or self._waiting()[cause.bucket] >= self._per_bucket:
                return None
            where = self.folder / SURPLUS
        mutant = parse(confirmation.description["system"], "mutant")
        parameters = [name for name, _ in confirmation.description["parameters"]]
        judged = standing(cause.kind, parameters, cause.known, mutant)
        return self._write(where / f"{cause.bucket}-{digest(confirmation.unit)[:12]}", files(confirmation, judged))

    def put_aside(self, suspicion: Suspicion) -> Path:
        """Keep a unit whose verdict did not come again, and beside it what was suspected."""
        folder = self.folder / "unconfirmed"
        target = folder / f"{suspicion.kind}-{digest(suspicion.unit)[:12]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(target, suspicion.unit)
            write_whole(target.with_suffix(".json"), suspicion.written())
        except OSError as error:
            raise FindingsError(self.folder, error) from error
        return target

    def remove(self, name: str) -> None:
        """Take a finding out: another one has come of it."""
        shutil.rmtree(self.folder / name)

    def _write(self, target: Path, contents: dict[str, bytes]) -> Path:
        temporary = Path(".")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary = Path(tempfile.mkdtemp(prefix=".writing-", dir=self.folder))
            for file, content in contents.items():
                (temporary / file).write_bytes(content)
            (temporary / "show.sh").chmod(0o755)
            temporary.chmod(0o755)
            os.rename(temporary, target)
        except OSError as error:
            if temporary != Path("."):
                shutil.rmtree(temporary, ignore_errors=True)
            # Another process of the campaign was first with the same unit: then it is there, and whole.
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise FindingsError(self.folder, error) from error
        return target


def drop(folder: Path, finding: Path) -> None:
    """Take a finding of a findings folder out, there being enough of its bucket. Raises `OSError`.

    Its name stays, so that it takes no room again, unless its cause's share was full without it.
    """
    if finding.parent == folder:
        with (folder / DROPPED).open("a") as names:
            names.write(f"{finding.name}\n")
    (finding / "record.json").unlink()  # first: without it, it is no finding any more
    shutil.rmtree(finding)


def kept(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The findings in a folder with their records, by name; raises `ChcfuzzError` for one that cannot be read."""
    return [(record.parent, record_of(record.parent)) for record in sorted(folder.glob("*/record.json"))]


def record_of(finding: Path) -> dict[str, Any]:
    """The record of a finding's folder; raises `ChcfuzzError` for one that cannot be read."""
    record = finding / "record.json"
    try:
        content = json.loads(record.read_text())
    except (OSError, ValueError) as error:
        raise ChcfuzzError(f"cannot read {str(record)!r}: {error}; remove that finding's folder") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ChcfuzzError(f"{str(record)!r} is not of the format {FORMAT!r}; remove that finding's folder")
    return content
