"""The findings folder: what was confirmed and what contradicts itself, a folder each (`folder`), whole or not there.

::

    <kind>-<cause>-<unit>/      what Spacer's maintainers know already has `known` in its name (`cause.Cause.bucket`)
    unconfirmed/<kind>-<unit>   units whose verdict did not come again in a fresh process; .json: what was suspected
    .suspicions/                what waits to be looked into (`suspicion.Box`)
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections import Counter as Tally
from pathlib import Path
from typing import Any

from chcfuzz.execution.files import write_whole
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.parse import parse
from chcfuzz.mutators.recipe import digest
from chcfuzz.triage.cause import Cause
from chcfuzz.triage.confirm import Confirmation
from chcfuzz.triage.folder import FORMAT, files
from chcfuzz.triage.scope import standing
from chcfuzz.triage.suspicion import Suspicion


class FindingsError(ChcfuzzError):
    """The findings folder cannot be written; the campaign must not go on as if it could."""

    def __init__(self, folder: Path, error: OSError) -> None:
        reason = os.strerror(error.errno) if error.errno else str(error)
        super().__init__(
            f"cannot write findings to {str(folder)!r}: {reason}; make room or name another folder with --findings"
        )


class FindingStore:
    """Writes findings into a folder that several processes may share; at most `per_bucket` of one cause.

    Every method raises `FindingsError` where the folder cannot be written, and then leaves nothing half written.
    """

    def __init__(self, folder: Path, per_bucket: int) -> None:
        self.folder = folder
        self._per_bucket = per_bucket

    def prepare(self) -> None:
        """Make the folder and see that it can be written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                pass
        except OSError as error:
            raise FindingsError(self.folder, error) from error

    def has_room(self, cause: Cause) -> bool:
        """Whether another finding of this cause is wanted."""
        return len(list(self.folder.glob(f"{cause.bucket}-*"))) < self._per_bucket

    def full(self) -> list[str]:
        """The causes of which there are enough, by the names that their folders begin with."""
        there = Tally(path.parent.name.rpartition("-")[0] for path in self.folder.glob("*/record.json"))
        return sorted(bucket for bucket, number in there.items() if number >= self._per_bucket)

    def of_unit(self, unit: bytes, kind: str) -> Path | None:
        """The folder of a unit's finding; None if there is none."""
        return next(iter(sorted(self.folder.glob(f"{kind}-*-{digest(unit)[:12]}"))), None)

    def keep(self, confirmation: Confirmation) -> Path | None:
        """Write a finding; its folder, which may be there already, or None where there are enough of its cause."""
        cause = confirmation.cause
        here = self.of_unit(confirmation.unit, cause.kind)
        if here is not None:
            return here
        if not self.has_room(cause):
            return None
        mutant = parse(confirmation.description["system"], "mutant")
        parameters = [name for name, _ in confirmation.description["parameters"]]
        judged = standing(cause.kind, parameters, cause.known, mutant)
        return self._write(f"{cause.bucket}-{digest(confirmation.unit)[:12]}", files(confirmation, judged))

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

    def _write(self, name: str, contents: dict[str, bytes]) -> Path:
        target = self.folder / name
        temporary = Path(".")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
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
