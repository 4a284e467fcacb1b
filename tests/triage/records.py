"""Records of findings that are made up."""

from pathlib import Path

from chcfuzz.triage.examine.scope import standing
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.findings.record import RECORD, Record
from msgspec import structs


def a_record(kind: str = "wrong-model", **changes: object) -> Record:
    """A record of a finding under default parameters."""
    plain = Record(
        kind=kind,
        signature=Signature(kind, default=True),
        standing=standing(kind, (), None, None),
        witness="it is",
        z3="5.4.0.0",
        answer="sat",
    )
    return structs.replace(plain, **changes)


def write_record(folder: Path, record: Record) -> None:
    """Write a record into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RECORD).write_bytes(record.to_json())
