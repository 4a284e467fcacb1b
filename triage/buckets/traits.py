"""What is known of a finding that can tell its cause from others: read from its folder, and small enough to be kept.

Which of it separates causes, and which only describes them, is said in `buckets`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from chcfuzz.execution.codec import converted
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.parse import parse
from chcfuzz.grammar.printer import print_system
from chcfuzz.grammar.system import System
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.triage.buckets.shape import Shape, shape_of
from chcfuzz.triage.examine.runs import GIVEN_PLAIN, PLAIN
from chcfuzz.triage.examine.scope import standing, unsupported_in
from chcfuzz.triage.examine.signature import Signature, without_numbers
from chcfuzz.triage.findings.location import Location, read_location
from chcfuzz.triage.findings.store import record_of
from chcfuzz.triage.reduce.reduction import reduced_record
from chcfuzz.triage.shrink.passes import measured


@dataclass(frozen=True)
class Traits:
    """`name` is the finding's folder; `id` is the same wherever the finding lies: of its unit, kind and solver.

    `witness` is the class of what speaks against the solver: "wrong unsat", "wrong model", how it dies or what it says.
    `solver` is "Spacer", or the program of a command; `release` is Z3's. `cause` is what its folder's name begins with
    (`Signature.name`), `standing` what maintainers make of it. `by_transforms`: with these off the solver is right;
    `cures` are all settings of which that is known, `parameters` what it needs, in words. `shape` and `size` are those
    of the reduced system, which `text` states; without one (None), those of the mutant.

    Of the location: `event` and `site`, in words, `first_bad` and `first_good` releases, and the failed `assertion`.
    """

    id: str
    name: str
    kind: str
    witness: str
    solver: str
    release: str
    cause: str
    standing: str
    by_transforms: bool
    cures: tuple[str, ...]
    parameters: tuple[str, ...]
    shape: Shape
    size: tuple[int, ...]
    text: str | None = None
    event: str | None = None
    site: str | None = None
    first_bad: str | None = None
    first_good: str | None = None
    assertion: str | None = None

    def record(self) -> dict[str, Any]:
        """All of it, as JSON holds it."""
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]  # tuples become lists

    @classmethod
    def of(cls, record: dict[str, Any]) -> Traits:
        """What `record` gave; raises `TypeError`, `KeyError` or `ValueError` for anything else.

        A name with a folder in it is none: what a bucket has enough of is taken out by its name.
        """
        if not re.fullmatch(r"[\w+-]+", record["name"]):
            raise ValueError(f"{record['name']!r} is no finding's name")
        return cls(**{**with_tuples(record), "shape": Shape(**with_tuples(record["shape"]))})


def with_tuples(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with a tuple for each list: JSON and TOML know no tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}


def read_traits(finding: Path) -> Traits:
    """The traits of the finding in a folder, of its reduced system where it has one; raises `ChcfuzzError`."""
    record = record_of(finding)
    cause = converted(record["cause"], Signature)
    reduced = reduced_record(finding)
    parameters: dict[str, str] = (reduced or record)["parameters"]
    system = _system(finding / ("mutant.smt2" if reduced is None else "reduced.smt2"))
    location = read_location(finding) or Location(of="")
    return Traits(
        id=_id(finding, record),
        name=finding.name,
        kind=cause.kind,
        witness=_witness(record, cause),
        solver=Path(record["command"][0]).name if record["command"] else "Spacer",
        release=record["z3"],
        cause=cause.name,
        standing=standing(cause.kind, parameters, cause.known, unsupported_in(system)).words,
        by_transforms=cause.known is not None or (GIVEN_PLAIN if record["parameters"] else PLAIN) in cause.cures,
        cures=cause.cures,
        parameters=tuple(f"{name}={value}" for name, value in sorted(parameters.items())),
        shape=shape_of(system),
        size=tuple(measured(system)),
        text=None if reduced is None else print_system(system),
        event=_event(location),
        site=location.sites[0].where if location.sites else None,
        first_bad=location.versions.first_bad if location.versions else None,
        first_good=location.versions.first_good if location.versions else None,
        assertion=location.assertion,
    )


def _id(finding: Path, record: dict[str, Any]) -> str:
    try:
        unit = (finding / "recipe").read_bytes()
    except OSError as error:
        reason = f"cannot read {str(finding / 'recipe')!r}: {error.strerror}"
        raise ChcfuzzError(f"{reason}; remove that finding's folder") from error
    other_class = [flag for flag in record["solving"] if flag.startswith("--solver=")]
    program = [Path(word).name for word in record["command"][:1]]
    seen = json.dumps(
        [record["kind"], record["z3"], record["parameters"], program, *record["command"][1:], other_class]
    )
    return hashlib.sha256(unit + seen.encode()).hexdigest()[:16]


def _witness(record: dict[str, Any], cause: Signature) -> str:
    if cause.kind == VerdictKind.WRONG_ANSWER.value:
        return f"wrong {record['answer']}"
    if cause.kind == VerdictKind.CONTRADICTION.value:
        return f"contradicted {record['answer']}"
    if cause.kind == VerdictKind.BROKEN_PROMISE.value:
        return f"a promise is broken at {cause.parts_at}"
    return cause.detail or cause.kind.replace("-", " ")


def _event(location: Location) -> str | None:
    """The event at which the failing run leaves the passing one, without its numbers."""
    failing = location.event.failing if location.event else None
    return failing and without_numbers(failing)


def _system(path: Path) -> System:
    try:
        return parse(path.read_text(), str(path))
    except OSError as error:
        raise ChcfuzzError(f"cannot read {str(path)!r}: {error.strerror}; remove that finding's folder") from error
