"""The traits of a finding that may distinguish its cause from others, read from its folder.

`buckets` determines which of them are part of a bucket's key, and which only describe a finding.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.domains.protocol import Roots
from chcfuzz.execution.domain import recorded_domain
from chcfuzz.execution.files import is_name, read_plain
from chcfuzz.grammar.errors import ChcfuzzError, GrammarError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.z3_parameters import INLINING
from chcfuzz.triage.examine.finding_scope import LIKE_PREPROCESSING, standing
from chcfuzz.triage.examine.shape import SystemShape
from chcfuzz.triage.examine.signature import GIVEN_PLAIN, PLAIN, Signature, without_numbers
from chcfuzz.triage.findings.location import Location
from chcfuzz.triage.findings.record import Finding, Record
from chcfuzz.triage.findings.reductions import record_of, stem_of
from chcfuzz.triage.findings.store import readable_findings
from chcfuzz.triage.shrink.size import Size

DIAGNOSIS = "diagnosis.md"  # in a finding's folder: the diagnosis of a person


@dataclass(frozen=True)
class Traits:
    """The traits of a finding.

    Attributes:
        id: Hash of its unit, kind and solver: the same on every machine.
        name: Name of its folder.
        kind: Kind of the finding.
        witness: Class of the evidence: "wrong unsat", "wrong model", the message of a crash or an error.
        solver: The name of the solver in this process ("Spacer"), "z3-program", or the program of a command.
        release: Release of the solver; empty for a command.
        cause: Name of its signature, with which the name of its folder begins.
        standing: Opinion of the solver's maintainers on such findings.
        by_transforms: Whether the solver is right if the transforms are disabled.
        by_inlining: Whether a model is right if inlining alone is disabled.
        diagnosed: Whether a person wrote a diagnosis.
        cures: All configurations under which the solver is known to be right.
        parameters: The parameters that the finding needs, as NAME=VALUE.
        shape: Shape of the smallest system: reduced in any mode, or else the mutant.
        size: Size of that system.
        text: Text of the reduced system, if it is reduced by `Mode.FINDING`.
        event: The event at which it diverges from a passing run, without numbers.
        site: The most suspicious site.
        first_bad: First release that shows it, if a good one before it was tested.
        first_good: First later release that does not show it.
        commit: The commit that introduced it, if a bisection of commits ended at one.
        assertion: The assertion that fails in a debug build.
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
    shape: SystemShape
    size: Size
    text: str | None = None
    event: str | None = None
    site: str | None = None
    first_bad: str | None = None
    first_good: str | None = None
    assertion: str | None = None
    by_inlining: bool = False
    diagnosed: bool = False
    commit: str | None = None

    def __post_init__(self) -> None:
        """Raise `ValueError` for a name with a path in it: surplus findings are removed by their names."""
        if not is_name(self.name):
            raise ValueError(f"{self.name!r} is not the name of a finding")


def read_traits(folder: Path) -> Traits:
    """Read the traits of the finding in a folder, those of its reduced system if it has one; raises `ChcfuzzError`."""
    finding = Finding.read(folder)
    record, smallest, signature = finding.record, finding.smallest, finding.record.signature
    parameters = (smallest.reduction or record).parameters
    domain = recorded_domain(record.solving)
    problem = _problem(folder / smallest.system, domain.roots)
    options = {name: value for name, value in parameters.items() if name not in domain.roots.selecting}
    options = {**dict(domain.roots.configured(tuple(parameters.items()))), **options}
    switches = tuple(filter(domain.is_switch, options))
    experimental = any(map(domain.is_experimental, switches))
    found = standing(signature.kind, switches, signature.known, domain.unsupported_in(problem), experimental)
    found = found.allowed(domain.allowed_words(switches))
    location = finding.location or Location(of="")
    by_inlining, diagnosed = _is_cured_by_inlining(signature, location), bool(diagnosis_in(folder))
    return Traits(
        id=_id(finding),
        name=folder.resolve().name,  # the folder may be `.`
        kind=signature.kind,
        witness=_witness(record),
        solver=next(iter(record.releases), None) or _program(record) or record.front_end or domain.solver_name,
        release=next(iter(record.releases.values()), "" if record.command else record.z3),
        cause=signature.name,
        standing=(found.like(LIKE_PREPROCESSING) if by_inlining and not diagnosed else found).words,
        by_transforms=signature.known is not None or (GIVEN_PLAIN if record.parameters else PLAIN) in signature.cures,
        by_inlining=by_inlining,
        diagnosed=diagnosed,
        cures=signature.cures,
        parameters=tuple(f"{name}={value}" for name, value in sorted(options.items())),
        shape=domain.shape(problem),
        size=domain.size(problem),
        text=None if finding.reduction is None else domain.roots.print(problem),
        event=_event(location),
        site=location.sites[0].where if location.sites else None,
        first_bad=location.versions.first_bad if location.versions and location.versions.last_good else None,
        first_good=location.versions.first_good if location.versions else None,
        assertion=location.assertion,
        commit=_commit(location),
    )


def readable(folder: Path, report: Callable[[str], None]) -> list[tuple[Finding, Traits]]:
    """Read the findings in a folder with their traits, sorted by name.

    `report` receives a line on each one that cannot be read.
    """
    found = []
    for finding in readable_findings(folder, report):
        try:
            found.append((finding, read_traits(finding.folder)))
        except ChcfuzzError as error:
            report(str(error))
    return found


def _id(finding: Finding) -> str:
    record = finding.record
    solver_class = [flag for flag in record.solving if flag.startswith("--solver=")]
    program = [Path(part).name for part in record.command[:1]]
    parameters = dict(record.parameters)
    seen = json.dumps([record.kind, record.z3, parameters, program, *record.command[1:], solver_class])
    return hashlib.sha256(finding.unit + seen.encode()).hexdigest()[:16]


def diagnosis_in(folder: Path) -> str:
    """Return the diagnosis of a person in a finding's folder; empty without one."""
    try:
        return read_plain(folder / DIAGNOSIS).decode(errors="replace").strip()
    except FileNotFoundError:
        return ""


def _is_cured_by_inlining(signature: Signature, location: Location) -> bool:
    """Determine it from single changes for the located system, or else from the examination of the mutant."""
    if not location.vanishes:
        return signature.is_cured_by_inlining
    switches = {(name, "false") for name in INLINING}
    return signature.kind == VerdictKind.WRONG_MODEL.value and not switches.isdisjoint(location.vanishes)


def _program(record: Record) -> str:
    return Path(record.command[0]).name if record.command else ""


def _witness(record: Record) -> str:
    signature = record.signature
    if signature.kind == VerdictKind.WRONG_ANSWER.value:
        return f"wrong {record.answer}"
    if signature.kind == VerdictKind.CONTRADICTION.value:
        return f"contradicted {record.answer}"
    if signature.kind == VerdictKind.BROKEN_PROMISE.value:
        return f"a promise is broken at {signature.parts_at}"
    return signature.detail or signature.kind.replace("-", " ")


def _commit(location: Location) -> str | None:
    commits = location.introduction.commits if location.introduction else ()
    return commits[0] if len(commits) == 1 else None


def _event(location: Location) -> str | None:
    failing = location.event.failing if location.event else None
    return failing and without_numbers(failing)


def _problem(path: Path, roots: Roots) -> BaseProblem:
    try:
        return roots.parse(read_plain(path).decode(), str(path))
    except OSError as error:
        reason = f"cannot read {str(path)!r}: {error.strerror}"
    except UnicodeDecodeError:
        reason = f"{str(path)!r} is damaged: it is not UTF-8"
    except GrammarError as error:
        reason = str(error)
    stem = stem_of(path.name)
    again = f"remove {record_of(stem)!r} beside it, and reduce the finding again"
    advice = again if stem else "remove that finding's folder"
    raise ChcfuzzError(f"{reason}; {advice}")
