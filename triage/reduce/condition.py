"""What has to hold of a smaller system for it to show the same finding: read from the finding's record.

Never just that two answers differ: `reduce_judge` re-establishes the finding's own witness for every candidate.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.recipe import Recipe, read
from chcfuzz.oracles.verdict import VerdictKind, asks_others
from chcfuzz.solvers.model_text import pieces
from chcfuzz.triage.findings.store import record_of

WRONG_ANSWER, WRONG_MODEL, WRONG_PROOF, CRASH = (
    kind.value
    for kind in (VerdictKind.WRONG_ANSWER, VerdictKind.WRONG_MODEL, VerdictKind.WRONG_PROOF, VerdictKind.CRASH)
)
_OF_AN_ERROR = {kind.value for kind in (VerdictKind.EXCEPTION, VerdictKind.LIMIT, VerdictKind.MEMORY)}


class ReduceError(ChcfuzzError):
    """A finding that cannot be reduced; the text says why, in one line."""


@dataclass(frozen=True)
class Condition:
    """`kind` is the finding's; `seen` the accused answer; `detail` what a death or an error says of itself.

    `cures` are the settings under which the solver is right; `known`: the transforms alone spoil the model. `refuted`:
    against the answer sat stands a refutation, not its own model. `model` are `define-fun`s, the finding's own witness
    for sat. `others`: the verdict came of asking other solvers.
    """

    kind: str
    seen: str
    detail: str = ""
    cures: tuple[str, ...] = ()
    known: bool = False
    refuted: bool = False
    model: str = ""
    others: bool = False

    def record(self) -> dict[str, Any]:
        """All of it, for another process."""
        return asdict(self)

    @classmethod
    def of(cls, record: dict[str, Any]) -> Condition:
        """What `record` gave."""
        return cls(**{**record, "cures": tuple(record["cures"])})


@dataclass(frozen=True)
class Finding:
    """A finding's folder and record; `recipe` is its unit, with all parameters in it and none in the seed's text."""

    folder: Path
    record: dict[str, Any]
    recipe: Recipe
    condition: Condition


def read_finding(folder: Path) -> Finding:
    """The finding in a folder; raises `ChcfuzzError` for one that cannot be read, or is of a kind with no condition."""
    record = record_of(folder)
    try:
        unit = read((folder / "recipe").read_bytes())
    except OSError as error:
        raise ReduceError(f"cannot read {str(folder / 'recipe')!r}: {error.strerror}") from error
    if unit.fault is not None:
        raise ReduceError(f"{str(folder / 'recipe')!r} {unit.fault}")
    recipe = replace(unit.recipe, parameters=tuple(sorted(record["parameters"].items())))
    return Finding(folder, record, recipe, _condition(folder, record))


def _condition(folder: Path, record: dict[str, Any]) -> Condition:
    kind, cause = record["kind"], record["cause"]
    if kind not in (WRONG_ANSWER, WRONG_MODEL, WRONG_PROOF, CRASH, *_OF_AN_ERROR):
        why = f"{str(folder)!r} is of the kind {kind!r}, for which no witness tells a smaller one from another fault"
        raise ReduceError(f"{why}; `chcfuzz confirm` looks into contradictions again")
    verdicts = record["runs"].get("given", {}).get("verdicts", [])
    oracle = next((verdict["oracle"] for verdict in verdicts if verdict["kind"] == kind), "")
    return Condition(
        kind,
        record["answer"],
        record["witness"] if kind == CRASH else cause["detail"],
        tuple(cause["cures"]),
        cause["known"] is not None,
        record["witness_for"] == "unsat",
        model_in(folder / "model.smt2") if record["witness_for"] == "sat" else "",
        kind == WRONG_MODEL and asks_others(oracle),
    )


def model_in(script: Path) -> str:
    """The `define-fun`s of a script that shows a model; empty where there is none."""
    try:
        text = script.read_text()
    except OSError:
        return ""
    return "\n".join(piece for piece in pieces(text) if piece.startswith("(define-fun"))
