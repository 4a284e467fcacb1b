"""Makes the engine of a selected solver, for this process; only here are the solvers imported."""

from __future__ import annotations

from chcfuzz.domains.smt.solvers import selection
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.domains.smt.solvers.selection import Selected, SelectionError
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.source import EventSource


def build(one: Selected, watchdog: Watchdog, events: EventSource | None = None) -> Engine:
    """Return the engine of a selected solver; raises `SelectionError` if its package is not installed.

    Only Z3 has `events`, and needs the watchdog. Self-checks are allowed if the solver is isolated.
    """
    try:
        if one.solver == selection.Z3:
            from chcfuzz.domains.smt.solvers.z3 import Z3

            return Z3(watchdog, one.settings, one.name, events, has_self_checks=one.isolated)
        if one.solver == selection.CVC5:
            from chcfuzz.domains.smt.solvers.cvc5 import Cvc5

            return Cvc5(one.settings, one.name, has_self_checks=one.isolated)
        from chcfuzz.domains.smt.solvers.bitwuzla import Bitwuzla

        return Bitwuzla(one.settings, one.name, has_self_checks=one.isolated)
    except ImportError as error:
        raise SelectionError(f"{one.solver!r} cannot be imported: {error}; pip install {one.solver}") from error
