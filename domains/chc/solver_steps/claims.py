"""The claims about steps, and the options of Spacer that end them.

A claim that an option ends is not checked in a run with it, so that no step is called wrong for the option's sake. All
other options that mutants set keep every claim: a test turns each of them on. An option that gives wrong answers, as
`fp.spacer.gpdr` does (Z3 issue 4008), ends no claim: its wrong steps are wrong.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from chcfuzz.domains.chc.solver_steps.steps import Lemma, Obligation, SolverStep
from chcfuzz.grammar.problem import Pairs
from chcfuzz.grammar.system import System

VERSION = 11  # of the claims and their checks; a cached outcome whose steps another version judged is judged again


class StepClaim(enum.Enum):
    """A claim about a step; the essay of the package has their meanings."""

    LEMMA = "lemma"
    OBLIGATION = "obligation"
    FACT = "fact"


@dataclass(frozen=True)
class EndedClaim:
    """A claim that an option ends, why, and the line of Z3 5.4.1 (`src/muz/`) that shows it."""

    option: str
    values: frozenset[str]
    claim: StepClaim
    reason: str
    source: str


ENDED = (
    EndedClaim(
        "fp.spacer.global",
        frozenset({"true"}),
        StepClaim.OBLIGATION,
        "obligations are guessed from clusters of lemmas, and their children inherit only one of the two marks",
        "spacer/spacer_context.cpp:78",
    ),
    EndedClaim(
        "fp.spacer.gpdr",
        frozenset({"true"}),
        StepClaim.OBLIGATION,
        "its search makes children without a mark of the model that was projected",
        "spacer/spacer_pdr.cpp:355",
    ),
)


def options_of(system: System, parameters: Pairs) -> dict[str, str]:
    """Return the options of a run: those of its script, and its parameters, which are stronger."""
    return {name.removeprefix(":"): value for name, value in system.options} | dict(parameters)


def claim_of(step: SolverStep) -> StepClaim:
    """Return the claim of a step."""
    match step:
        case Lemma():
            return StepClaim.LEMMA
        case Obligation():
            return StepClaim.OBLIGATION
    return StepClaim.FACT


def ended(options: Mapping[str, str]) -> dict[StepClaim, str]:
    """Return the claims that a run under these options does not make, each with the option that ends it."""
    return {
        row.claim: f"{row.option}={options[row.option]} ends its claim"
        for row in ENDED
        if options.get(row.option) in row.values
    }
