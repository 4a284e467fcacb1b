"""The condition that a smaller system must meet to show the same finding, read from the finding's record.

It is never enough that two answers differ: `judge` re-establishes the finding's own witness for every candidate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from chcfuzz.domains.protocol import Domain
from chcfuzz.execution.domain import recorded_domain
from chcfuzz.execution.files import read_plain
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe, read
from chcfuzz.oracles.verdict import Subject, VerdictKind, asks_others, facts_of
from chcfuzz.solvers.model_text import pieces
from chcfuzz.triage.examine.old_messages import fault_in
from chcfuzz.triage.examine.signature import without_addresses, without_numbers
from chcfuzz.triage.findings.folder import ensure_scripts_write_nothing
from chcfuzz.triage.findings.record import RECIPE, Finding, Record


class ReduceError(ChcfuzzError):
    """A finding that cannot be reduced; the message gives the reason in one line."""


class Condition(msgspec.Struct, frozen=True):
    """Condition that every candidate of one reduction is tested against.

    Attributes:
        kind: The kind of the finding.
        answer: The accused answer.
        fault: The class of the fault.
        cures: Configurations under which the solver is right.
        by_transforms: Whether a known preprocessing step alone makes the model wrong.
        model: `define-fun`s, the finding's own witness for sat.
        asks_others: Whether the verdict depends on other solvers.
        is_open: Whether no witness decides: other solvers must still answer otherwise.
    """

    kind: str
    answer: str
    fault: str = ""
    cures: tuple[str, ...] = ()
    by_transforms: bool = False
    model: str = ""
    asks_others: bool = False
    is_open: bool = False

    @property
    def subject(self) -> Subject:
        """Part of an execution that the finding accuses."""
        return facts_of(self.kind).subject

    def is_shown_by_death(self, system: str, death: str) -> bool:
        """Return whether a death of a process shows the finding; without a mutant, making it was the cause."""
        return self.subject is Subject.DEATH and system != "" and death == self.fault

    def with_model(self, model: str) -> Condition:
        """Return the condition with another model as the witness for sat."""
        return msgspec.structs.replace(self, model=model)


@dataclass(frozen=True)
class Reducible:
    """A finding that can be reduced.

    `recipe` is its unit, with all parameters in the recipe and none in the text of the seed.
    """

    finding: Finding
    recipe: Recipe
    condition: Condition

    @property
    def folder(self) -> Path:
        """Folder of the finding."""
        return self.finding.folder


def _fault(record: Record, subject: Subject) -> str:
    """Return the class of the fault that candidates must show; a death has the numbers that a signature omits."""
    if subject is Subject.DEATH:
        return without_addresses(record.fault or fault_in(record.kind, record.witness))
    fault = record.signature.detail
    return without_numbers(fault) if subject is Subject.MESSAGE else fault


def read_finding(folder: Path) -> Reducible:
    """Read the finding in a folder; its domain becomes that of this process.

    Raises `ChcfuzzError` if it cannot be read, and `ReduceError` if findings of its kind cannot be reduced.
    """
    finding = Finding.read(folder)
    ensure_scripts_write_nothing(folder)
    domain = recorded_domain(finding.record.solving)
    roots.activate(domain.roots)
    unit = read(finding.unit)
    if unit.fault is not None:
        raise ReduceError(f"{str(folder / RECIPE)!r} {unit.fault}")
    recipe = replace(unit.recipe, parameters=tuple(sorted(finding.record.parameters.items())))
    return Reducible(finding, recipe, _condition(finding, domain))


def _condition(finding: Finding, domain: Domain) -> Condition:
    record, kind = finding.record, finding.record.kind
    facts = facts_of(kind)
    is_open = kind == VerdictKind.CONTRADICTION.value and domain.compares_answers
    if not facts.is_reducible and not is_open:
        reason = f"{str(finding.folder)!r} is of the kind {kind!r}, whose findings cannot be reduced"
        raise ReduceError(f"{reason}: no witness distinguishes a smaller one from another bug")
    verdicts = record.given.verdicts if record.given else ()
    oracle = next((verdict.oracle for verdict in verdicts if verdict.kind == kind), "")
    return Condition(
        kind,
        record.answer,
        fault=_fault(record, facts.subject),
        cures=record.signature.cures,
        by_transforms=record.signature.known is not None or record.signature.is_cured_by_transforms,
        model=read_model(finding.folder / "model.smt2") if record.witness_for == "sat" else "",
        asks_others=facts.subject in (Subject.MODEL, Subject.OUTPUT) and asks_others(oracle),
        is_open=is_open,
    )


def read_model(script: Path) -> str:
    """Return the `define-fun`s in a script that shows a model; empty if the script does not exist."""
    try:
        text = read_plain(script).decode()
    except OSError:
        return ""
    return "\n".join(piece for piece in pieces(text) if piece.startswith("(define-fun"))
