"""Records of findings that are made up."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from chcfuzz.triage.examine.finding_scope import standing
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.findings.record import RECORD, Record
from chcfuzz.triage.findings.reductions import Reduction
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


def a_reduction(**changes: Any) -> Reduction:
    """A finished reduction to a system without parameters."""
    plain = Reduction(minimal=True, parameters={}, chain=(), words="the evidence")
    return replace(plain, **changes)
