"""An interpolating solver, as bench programs and the domain of interpolation problems see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from cachetools import LRUCache
from chcfuzz.domains.interpolation.solvers.features import features_of
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.reading.leniences import as_read
from chcfuzz.solvers.outcome import Outcome, Status, Texts
from chcfuzz.tracing.solver_statistics import merged, trace_of_features
from chcfuzz.tracing.source import Parameters
from chcfuzz.tracing.trace import Trace

_KEPT = 16  # problems: several solvers get the same text
_stated: LRUCache[str, Interpolation] = LRUCache(_KEPT)


class Interpolator(Protocol):
    """A solver that computes the interpolants of all cuts of a problem.

    `name` is the name as `--solvers` spells it, `version` the version of the solver, empty for a command.
    """

    name: str
    version: str

    def interpolate(self, interpolation: Interpolation, parameters: Parameters, rlimit: int) -> Outcome:
        """Interpolate in a context that has solved nothing before.

        The outcome is UNSAT with a text in `interpolants` for each cut, or SAT if the groups have a common model.
        Otherwise it is UNSUPPORTED, UNKNOWN or a limit, with the solver's message as the reason. Never raises for what
        the solver does. `parameters` have the solver's own names.
        """

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Interpolate the problem that a text states."""
        return self.interpolate(stated(text), parameters, rlimit)


def stated(text: str) -> Interpolation:
    """Return the problem that a printed text states."""
    found = _stated.get(text)
    if found is None:
        found = _stated[text] = read(text, "problem")
    return found


def note(text: str, interpolation: Interpolation) -> None:
    """Note the problem of a text that was printed, unless reading the text may give its terms another form."""
    if all(as_read(formula) is formula for formula in interpolation.formulas):
        _stated[text] = interpolation


def refusal(reason: str) -> Outcome:
    """Return the outcome of a problem that a solver does not take."""
    words = " ".join(reason.split())
    return Outcome(Status.UNSUPPORTED, words, trace_of_features(features_of(Status.UNSUPPORTED, words, ())), 0, 0.0)


def with_features(outcome: Outcome, interpolants: tuple[str, ...], *traces: Trace) -> Outcome:
    """Return an outcome with interpolants, whose trace has their features and those of other traces."""
    own = trace_of_features(features_of(outcome.status, outcome.reason, interpolants))
    parts = own if not traces else _joined((own, *traces))
    return replace(outcome, extra=Texts(interpolants), trace=parts)


def _joined(traces: Iterable[Trace]) -> Trace:
    return merged({str(number): trace for number, trace in enumerate(traces)})
