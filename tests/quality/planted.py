"""Solvers with a known bug, which a campaign must find; without them, it must not report it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import z3
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.terms import is_operator, subterms
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver_model import Model
from chcfuzz.solvers.z3_parameters import INLINING, with_off, with_transforms_off

OPPOSITE = {Status.SAT: Status.UNSAT, Status.UNSAT: Status.SAT}
# The bug acts as if it were in slicing: a run without slicing is correct, and can be a witness.
SLICING_OFF = ("fp.xform.slice", "false")
INLINING_OFF = ("fp.xform.inline_eager", "false")


def repeats_a_member(text: str) -> bool:
    """Determine whether a conjunction has the same member twice."""
    conjunctions = (
        term
        for term in subterms(*(clause.formula for clause in parse(text, "planted").clauses))
        if is_operator(term, "and")
    )
    return any(len(set(term.children)) < len(term.children) for term in conjunctions)


class PlantedSpacer(Spacer):
    """Spacer that gives the opposite answer if a conjunction has the same member twice and slicing is on."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        outcome = super().solve(text, parameters, rlimit)
        if SLICING_OFF in parameters or not outcome.status.is_decided or not repeats_a_member(text):
            return outcome
        return replace(outcome, status=OPPOSITE[outcome.status], model=None)


class SwitchedSpacer(PlantedSpacer):
    """`PlantedSpacer` while `ctp` is off, Spacer otherwise."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        broken = ("fp.spacer.ctp", "false") in parameters
        return (PlantedSpacer if broken else Spacer).solve(self, text, parameters, rlimit)


class ForgetfulSpacer(Spacer):
    """Spacer with wrong models for `sat`: every predicate is false, so facts do not hold."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        outcome = super().solve(text, parameters, rlimit)
        if outcome.model is None:
            return outcome
        empty = z3.Solver(ctx=outcome.model.context)
        empty.check()
        return replace(outcome, model=Model(outcome.model.context, outcome.model.assertions, empty.model()))


class HastySpacer(ForgetfulSpacer):
    """Spacer that answers sat where it finds unsat, with a model in which every predicate is false."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        outcome = super().solve(text, parameters, rlimit)
        if outcome.status is not Status.UNSAT:
            return outcome
        return replace(outcome, status=Status.SAT, model=TextModel(_all_false(text)))


def _all_false(text: str) -> str:
    predicates = parse(text, "planted").predicates
    sorts = [(each.name, " ".join(f"(x!{i} {s})" for i, s in enumerate(each.parameters))) for each in predicates]
    return "\n".join(f"(define-fun {name} ({parameters}) Bool false)" for name, parameters in sorts)


class SeedSpacer(Spacer):
    """Spacer that answers sat to the built-in unsat seed as it is, and is right about its mutants."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        outcome = super().solve(text, parameters, rlimit)
        if repeats_a_member(text) or outcome.status is not Status.UNSAT:
            return outcome
        return replace(outcome, status=Status.SAT, model=None)


class CostlySpacer(Spacer):
    """Spacer that reports a hundred times the cost if a conjunction has the same member twice."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        outcome = super().solve(text, parameters, rlimit)
        return replace(outcome, cost=100 * max(outcome.cost, 10_000)) if repeats_a_member(text) else outcome


class StubbornSpacer(Spacer):
    """Spacer that answers unsat if a conjunction has the same member twice, under any parameters."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        outcome = super().solve(text, parameters, rlimit)
        if outcome.status is not Status.SAT or not repeats_a_member(text):
            return outcome
        return replace(outcome, status=Status.UNSAT, model=None)


class TransformedSpacer(ForgetfulSpacer):
    """Spacer whose models are wrong while the transforms are on, and always while `ctp` is off."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        plain = set(with_transforms_off()) <= set(parameters) and ("fp.spacer.ctp", "false") not in parameters
        return (Spacer if plain else ForgetfulSpacer).solve(self, text, parameters, rlimit)


class NumeralSpacer(Spacer):
    """Spacer that answers unsat if an argument of a predicate is a numeral, whatever it is."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        outcome = super().solve(text, parameters, rlimit)
        if outcome.status is not Status.SAT or re.search(r"\(assert \(\w+ (\d+|\(- \d+\))\)", text) is None:
            return outcome
        return replace(outcome, status=Status.UNSAT, model=None)


class InlinedSpacer(ForgetfulSpacer):
    """Spacer whose models are wrong while it inlines rules."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        plain = set(with_off((), INLINING)) <= set(parameters)
        return (Spacer if plain else ForgetfulSpacer).solve(self, text, parameters, rlimit)


class LinearSpacer(ForgetfulSpacer):
    """Spacer whose models are wrong while it inlines linear rules."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        plain = ("fp.xform.inline_linear", "false") in parameters
        return (Spacer if plain else ForgetfulSpacer).solve(self, text, parameters, rlimit)


class LuckySpacer(ForgetfulSpacer):
    """Spacer whose models are wrong, except with the transforms off if the first clause is a fact."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        lucky = set(with_transforms_off()) <= set(parameters) and parse(text, "planted").clauses[0].is_fact
        return (Spacer if lucky else ForgetfulSpacer).solve(self, text, parameters, rlimit)


class GreedySpacer(Spacer):
    """Spacer that exceeds its resource limit if a conjunction has the same member twice."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        outcome = super().solve(text, parameters, rlimit)
        return replace(outcome, cost=100 * rlimit) if repeats_a_member(text) else outcome


class TwiceWrongSpacer(Spacer):
    """Two bugs under the same parameters: a frequent one without slicing off, a rare one without eager inlining off.

    The first one needs a conjunction with the same member twice, the second one a rule whose body is obviously false.
    """

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the bug."""
        outcome = super().solve(text, parameters, rlimit)
        frequent = repeats_a_member(text) and SLICING_OFF not in parameters
        rare = "(distinct" in text and INLINING_OFF not in parameters
        if outcome.status is not Status.SAT or not (frequent or rare):
            return outcome
        return replace(outcome, status=Status.UNSAT, model=None)


class RefusingSpacer(Spacer):
    """Spacer that cannot be made, for a reason from outside."""

    def __init__(self, *_given: object) -> None:
        raise ChcfuzzError("the moon is full; wait for a day")
