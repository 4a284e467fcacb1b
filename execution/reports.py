"""Typed reports on units and executions, as records of findings and messages between processes hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from chcfuzz.oracles.verdict import MODEL, PROOF, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Status
from msgspec import UNSET, UnsetType

Parameters = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class StepReport:
    """A step of a chain: the row of its mutation, its choices and key in hexadecimal, and a description in `words`."""

    mutation: str
    choices: str
    key: str
    changed: bool
    words: str


@dataclass(frozen=True)
class UnitReport:
    """A unit: the text of its seed, its mutant as a script, the mutant's system without parameters, and its chain.

    `expected` is the answer that the chain promises, None where the answer of the seed is unknown.
    """

    z3: str
    seed: str
    mutant: str
    system: str
    parameters: Parameters
    promise: str
    expected: str | None
    chain: tuple[StepReport, ...]


@dataclass(frozen=True)
class VerdictReport:
    """A verdict; records of findings omit its `evidence`, which is in a file of its own.

    Records of older versions do not have `fault`.
    """

    oracle: str
    kind: str
    detail: str = ""
    evidence: str | UnsetType = UNSET
    judges: tuple[str, ...] = ()
    fault: str = ""

    @classmethod
    def of(cls, verdict: Verdict) -> VerdictReport:
        """Return a verdict as records and messages hold it."""
        return cls(verdict.oracle, verdict.kind.value, verdict.detail, verdict.evidence, verdict.judges, verdict.fault)


@dataclass(frozen=True, kw_only=True)
class RunReport:
    """Report on an execution, with its name in an examination; without `trace_hash` if the solver died.

    `others` are the answers of other solvers of the same execution, by name. `left_out` are the parameters that the
    solver does not have, or whose value it refuses; those of other solvers begin with its name. `results` are queries
    of the script, each with its result.
    """

    run: str | UnsetType = UNSET
    status: str
    reason: str = ""
    verdicts: tuple[VerdictReport, ...] = ()
    model_holds: bool = False
    trace_hash: str | None = None
    events: int = 0
    cost: int = 0
    command: tuple[str, ...] = ()
    others: Mapping[str, str] | UnsetType = UNSET
    left_out: tuple[str, ...] | UnsetType = UNSET
    results: tuple[tuple[str, str], ...] | UnsetType = UNSET

    @property
    def is_checked(self) -> bool:
        """Whether the model of a `sat`, or each step of the derivation of an `unsat`, was checked."""
        passed = {verdict.oracle for verdict in self.verdicts if verdict.kind == VerdictKind.PASS.value}
        return {Status.SAT.value: MODEL.name, Status.UNSAT.value: PROOF.name}.get(self.status, "") in passed

    @property
    def faults(self) -> list[VerdictReport]:
        """The verdicts that are findings; that a checked answer is not the promised one is a fault of the promise."""
        found = [verdict for verdict in self.verdicts if VerdictKind(verdict.kind).is_finding]
        return [each for each in found if not (self.is_checked and each.kind == VerdictKind.WRONG_ANSWER.value)]

    def without_evidence(self) -> RunReport:
        """Return the report as a record stores it: the evidence is in a file of its own."""
        return replace(self, verdicts=tuple(replace(verdict, evidence=UNSET) for verdict in self.verdicts))

    def details(self, kind: str) -> list[str]:
        """Return the one-line explanations of all verdicts of a kind."""
        return [verdict.detail for verdict in self.verdicts if verdict.kind == kind]
