"""Solvers with a known bug: what a campaign has to find, and what it must not see without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import z3
from chcfuzz.grammar.parse import parse
from chcfuzz.grammar.terms import is_operator, subterms
from chcfuzz.solvers.model import Model
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.spacer import Spacer
from chcfuzz.solvers.z3_parameters import with_transforms_off

OPPOSITE = {Status.SAT: Status.UNSAT, Status.UNSAT: Status.SAT}
# The bug sits in the slicing, so to say: a run without that is right, and can be a witness.
SLICING_OFF = ("fp.xform.slice", "false")
INLINING_OFF = ("fp.xform.inline_eager", "false")


def repeats_a_member(text: str) -> bool:
    """Whether some conjunction holds a member twice."""
    conjunctions = (
        term
        for term in subterms(*(clause.formula for clause in parse(text, "planted").clauses))
        if is_operator(term, "and")
    )
    return any(len(set(term.children)) < len(term.children) for term in conjunctions)


class PlantedSpacer(Spacer):
    """Spacer, but it answers the opposite where a conjunction holds a member twice and slicing is on."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        outcome = super().solve(text, parameters, rlimit)
        if SLICING_OFF in parameters or not outcome.status.is_decided or not repeats_a_member(text):
            return outcome
        return replace(outcome, status=OPPOSITE[outcome.status], model=None)


class SwitchedSpacer(PlantedSpacer):
    """As `PlantedSpacer`, but only while `ctp` is off."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        broken = ("fp.spacer.ctp", "false") in parameters
        return (PlantedSpacer if broken else Spacer).solve(self, text, parameters, rlimit)


class ForgetfulSpacer(Spacer):
    """Spacer, but its model for `sat` says nothing: every predicate is false, and facts do not hold."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        outcome = super().solve(text, parameters, rlimit)
        if outcome.model is None:
            return outcome
        empty = z3.Solver(ctx=outcome.model.context)
        empty.check()
        return replace(outcome, model=Model(outcome.model.context, outcome.model.assertions, empty.model()))


class DearSpacer(Spacer):
    """Spacer, but it counts a hundred times as much where a conjunction holds a member twice."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        outcome = super().solve(text, parameters, rlimit)
        return replace(outcome, cost=100 * max(outcome.cost, 10_000)) if repeats_a_member(text) else outcome


class StubbornSpacer(Spacer):
    """Spacer, but it answers unsat where a conjunction holds a member twice, whatever the parameters."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        outcome = super().solve(text, parameters, rlimit)
        if outcome.status is not Status.SAT or not repeats_a_member(text):
            return outcome
        return replace(outcome, status=Status.UNSAT, model=None)


class TransformedSpacer(ForgetfulSpacer):
    """Its models are wrong while the transforms are on; while `ctp` is off, they are without them, too."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        plain = set(with_transforms_off()) <= set(parameters) and ("fp.spacer.ctp", "false") not in parameters
        return (Spacer if plain else ForgetfulSpacer).solve(self, text, parameters, rlimit)


class GreedySpacer(Spacer):
    """Spacer, but it takes more than it may where a conjunction holds a member twice."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        outcome = super().solve(text, parameters, rlimit)
        return replace(outcome, cost=100 * rlimit) if repeats_a_member(text) else outcome


class TwiceWrongSpacer(Spacer):
    """Two bugs under the same parameters: a frequent one cured by slicing off, a rare one by eager inlining off.

    The first is in conjunctions that hold a member twice, the second in rules whose body is plainly false.
    """

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        outcome = super().solve(text, parameters, rlimit)
        frequent = repeats_a_member(text) and SLICING_OFF not in parameters
        rare = "(distinct" in text and INLINING_OFF not in parameters
        if outcome.status is not Status.SAT or not (frequent or rare):
            return outcome
        return replace(outcome, status=Status.UNSAT, model=None)
