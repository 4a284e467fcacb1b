"""Spacer as an interpolating solver: the model of the Horn system with a predicate for each cut are the interpolants.

The transforms that replace predicates by their clauses are off by default: with them, an interpolant is a copy of the
side A. The engine is always Spacer, and not the one that Z3 chooses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import z3
from chcfuzz.domains.chc.solvers.spacer import Spacer as HornSolver
from chcfuzz.domains.interpolation.solvers.interpolator import Interpolator, refusal, with_features
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.cuts_as_horn import HornForm, to_horn
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.printer import print_system, print_term
from chcfuzz.grammar.reading.declarations import Definition
from chcfuzz.grammar.reading.parse import parse_definitions
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_parameters import ENGINE, with_transforms_off
from chcfuzz.tracing.source import EventSource, Parameters

NAME = "spacer"
_ANSWERS = {Status.SAT: Status.UNSAT, Status.UNSAT: Status.SAT}  # of the Horn system, and of the problem


class InterpolatingSpacer(Interpolator):
    """Spacer in this process, with settings of its own; one execution at a time."""

    def __init__(
        self, events: EventSource, watchdog: Watchdog, settings: tuple[tuple[str, str], ...] = (), name: str = NAME
    ) -> None:
        """Run Z3's Horn solver, whose steps `events` receives."""
        self.name = name
        self.version = str(z3.get_version_string())
        self._solver = HornSolver(events, watchdog)
        self._settings = settings

    def interpolate(self, interpolation: Interpolation, parameters: Parameters, rlimit: int) -> Outcome:
        """Return the interpolants that a model of the Horn system states; see `Interpolator.interpolate`."""
        wanted = {**dict(with_transforms_off((ENGINE,))), **dict(self._settings), **dict(parameters)}
        try:
            form = to_horn(interpolation)
            outcome = self._solver.solve(print_system(form.system), tuple(wanted.items()), rlimit)
            interpolants = _interpolants(form, outcome) if outcome.status is Status.SAT else ()
        except ChcfuzzError as error:
            return refusal(str(error))
        status, reason = _ANSWERS.get(outcome.status, outcome.status), outcome.reason.partition("\n")[0]
        answered = replace(outcome, status=status, reason=reason, model=None)
        return with_features(answered, interpolants, outcome.trace)


def _interpolants(form: HornForm, outcome: Outcome) -> tuple[str, ...]:
    """Return the formulas that a model states; raises `ChcfuzzError` for a model that is not read."""
    assert outcome.model is not None
    read = parse_definitions(outcome.model.definitions, form.system, "model")
    return tuple(_interpolant(form, cut, read) for cut in range(len(form.predicates)))


def _interpolant(form: HornForm, cut: int, read: Mapping[str, Definition]) -> str:
    """Return the value of a predicate as an interpolant; a predicate that a model leaves out is false."""
    definition = read.get(form.predicates[cut].name)
    if definition is None:
        return "false"
    found = form.interpolant(cut, definition)
    if found is None:
        raise ChcfuzzError("the interpolant has a function as a whole array")
    return print_term(found)
