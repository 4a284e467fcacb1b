"""Judgements on the steps of a run."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from chcfuzz.domains.chc.solver_steps.components import Component
from chcfuzz.domains.chc.solver_steps.steps import SolverStep
from chcfuzz.grammar.evaluation.values import Ground
from chcfuzz.grammar.printing.witness import Facts
from chcfuzz.grammar.terms import Variable

State = Mapping[Variable, Ground]  # a value of each argument of a predicate


class StepJudgement(enum.Enum):
    """Judgement on one step of a solver.

    A step is `WRONG` only with a witness. A lemma that is not inductive, or an obligation with a state that leads
    nowhere, is `UNPROVED` without one. `OPEN` steps claim nothing, are not read, or the judge does not decide.
    """

    RIGHT = "right"
    WRONG = "wrong"
    UNPROVED = "unproved"
    OPEN = "open"


@dataclass(frozen=True)
class Judged:
    """A step by its number, from 1, with its judgement and the reason.

    A wrong lemma has the `facts` of a derivation, in order; it excludes the last one. The `script` of a wrong step lets
    any solver repeat the judgement: each `check-sat` in it is unsat. Only a wrong step has a `component`. `state` is
    the one at which the claim of an obligation or a fact is wrong, None if an obligation lacks any. `doubts` about a
    right step are its suspicious properties.
    """

    number: int
    step: SolverStep
    judgement: StepJudgement
    reason: str = ""
    facts: Facts = ()
    script: str = ""
    component: Component = Component.UNKNOWN
    state: State | None = None
    doubts: tuple[str, ...] = ()

    @property
    def is_wrong(self) -> bool:
        """Whether there is a witness against the step."""
        return self.judgement is StepJudgement.WRONG


def open_step(number: int, step: SolverStep, reason: str) -> Judged:
    """Return the judgement on a step about which nothing is claimed, or nothing is known."""
    return Judged(number, step, StepJudgement.OPEN, reason)


@dataclass(frozen=True)
class Difference:
    """A derivation on one side of a transform, and a model of the other side, which lacks the last fact.

    `is_lost` is true if the clauses of the file have the derivation. Each `check-sat` of the `script` is unsat.
    """

    is_lost: bool
    facts: tuple[str, ...]
    script: str


@dataclass(frozen=True)
class JudgedTransform:
    """A transform, by its option, with the difference on a system, which `of` describes; None if none is found."""

    option: str
    of: str
    difference: Difference | None
