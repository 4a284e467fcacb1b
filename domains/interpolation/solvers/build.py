"""Makes a selected interpolating solver for this process; only here are the solvers imported."""

from __future__ import annotations

from chcfuzz.domains.interpolation.solvers import selection
from chcfuzz.domains.interpolation.solvers.interpolator import Interpolator
from chcfuzz.domains.smt.solvers.selection import Selected, SelectionError
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.source import EventSource


def build(one: Selected, watchdog: Watchdog, events: EventSource | None = None) -> Interpolator:
    """Return a selected solver; raises `SelectionError` if its package is not installed.

    Only Spacer has `events`, and needs the watchdog.
    """
    try:
        if one.solver == selection.SPACER:
            from chcfuzz.domains.interpolation.solvers.spacer import InterpolatingSpacer

            return InterpolatingSpacer(events or ProgressLog(), watchdog, one.settings, one.name)
        if one.solver == selection.INSTANCES:
            from chcfuzz.domains.interpolation.solvers.instances import Instances
            from chcfuzz.domains.interpolation.solvers.spacer import InterpolatingSpacer

            return Instances(InterpolatingSpacer(ProgressLog(), watchdog), one.name, one.settings)
        if one.solver == selection.CVC5:
            from chcfuzz.domains.interpolation.solvers.cvc5 import Cvc5Interpolator

            return Cvc5Interpolator(one.settings, one.name)
        from chcfuzz.domains.interpolation.solvers.bitwuzla import BitwuzlaInterpolator

        return BitwuzlaInterpolator(one.settings, one.name, has_self_checks=one.isolated)
    except ImportError as error:
        raise SelectionError(f"{one.solver!r} cannot be imported: {error}; pip install {one.solver}") from error
