"""The interpolating solvers of a configuration: those of `--solver` or `--solvers`, and the commands of `--cross`."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from urllib.parse import quote

from chcfuzz.domains.interpolation.solvers import jars, selection
from chcfuzz.domains.interpolation.solvers.build import build
from chcfuzz.domains.interpolation.solvers.interpolating_command import CommandInterpolator
from chcfuzz.domains.interpolation.solvers.selection import selected
from chcfuzz.domains.smt.solvers import releases
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.domains.smt.solvers.isolation import Isolated
from chcfuzz.domains.smt.solvers.selection import SOLVERS as SMT_SOLVERS
from chcfuzz.domains.smt.solvers.selection import Selected, SelectionError, ensure_different
from chcfuzz.domains.smt.solvers.together import SmtSolvers, solver_of
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.solver_statistics import StatisticsSource
from chcfuzz.tracing.source import EventSource
from chcfuzz.tracing.traced_library import TracedLibrary


class InterpolatingSolvers(SmtSolvers):
    """Solvers that all interpolate each problem; trivial problems are not given to them."""

    def __init__(self, engines: list[Engine], source: StatisticsSource, watchdog: Watchdog) -> None:
        """Run these engines in this order."""
        super().__init__(engines, source)
        self._watchdog = watchdog

    def refused(self, problem: BaseProblem) -> str:
        """Return why a problem is not interpolated: it has one group, or a side without a model at every cut."""
        from chcfuzz.domains.interpolation.solvers.trivial import refused
        from chcfuzz.grammar.interpolation.grouped import Interpolation

        assert isinstance(problem, Interpolation)
        return refused(problem, self._watchdog)


def names(solving: Solving) -> tuple[str, ...]:
    """Return the names of the solvers in Python packages; `--solver` names the only one, also as a command."""
    return tuple(name for name in _given(solving) if name not in selection.NAMED)


def _given(solving: Solving) -> tuple[str, ...]:
    """Return the names of `--solver` or `--solvers`, also those of commands on pinned jars."""
    if solving.solver is not None:
        return () if is_command(solving.solver) else (solving.solver,)
    return selection.DEFAULT if solving.solvers is None else solving.solvers


def commands(solving: Solving) -> tuple[str, ...]:
    """Return the command lines of the other solvers; raises `JarError`."""
    named = tuple(jars.command_line(name) for name in _given(solving) if name in selection.NAMED)
    return (*named, *_own_commands(solving))


def _own_commands(solving: Solving) -> tuple[str, ...]:
    """Return the command lines that the user wrote."""
    own = (solving.solver,) if solving.solver is not None and is_command(solving.solver) else ()
    return (*own, *solving.cross)


def is_command(text: str) -> bool:
    """Return whether a text is a command line, and not the name of a solver, which may not exist."""
    if solver_of(text) in selection.INSIDE or text in (*SMT_SOLVERS, *selection.NAMED):
        return False
    words = text.split()
    return len(words) > 1 or (bool(words) and shutil.which(words[0]) is not None)


def running(solving: Solving) -> tuple[str, ...]:
    """Return the names of all solvers, those of commands included."""
    return (*names(solving), *(each.name for each in _commands(solving)))


def interpolating_solvers(solving: Solving, watchdog: Watchdog) -> InterpolatingSolvers:
    """Return the solvers of these flags, in their order.

    Raises `SelectionError` for a solver that does not exist, and `CommandError` for a command that cannot be started.
    """
    events = _events(solving)
    engines: list[Engine] = [
        Isolated(one, solving, watchdog) if one.isolated else build(one, watchdog, events)
        for one in selected(names(solving), solving.isolate)
    ]
    engines += _commands(solving)
    ensure_different([engine.name for engine in engines])
    return InterpolatingSolvers(engines, trace_source(solving, events), watchdog)


def trace_source(solving: Solving, events: EventSource | None = None) -> StatisticsSource:
    """Return the source of the features of these solvers, with the edges of a traced Z3."""
    events = events or _events(solving)
    return StatisticsSource(f"interpolants:{quote('+'.join((*running(solving), events.name)))}", events.edges)


def check_named(solving: Solving) -> tuple[Selected, ...]:
    """Return the solvers in Python packages; raises a `ChcfuzzError` for a solver or a command that does not exist.

    Nothing is fetched or started.
    """
    chosen = selected(names(solving), solving.isolate)
    for one in chosen:
        package = selection.MODULES[one.solver]
        if one.solver != selection.SPACER and find_spec(package) is None:
            raise SelectionError(f"{package!r} is not installed; pip install {package}, or leave out {one.name}")
        if one.release:
            releases.check_version(one.solver, one.release)
    if not (*_given(solving), *_own_commands(solving)):
        raise SelectionError(f"--solvers is empty; name some of {', '.join((*selection.INSIDE, *selection.NAMED))}")
    for text in _own_commands(solving):
        Command.of(text, solving.wall_seconds)
    return chosen


def check_usable(solving: Solving) -> None:
    """Fetch releases and jars; raises a `ChcfuzzError` for flags that select a solver or a command without effect."""
    for one in check_named(solving):
        if one.release:
            releases.fetched(one.solver, one.release)
    ensure_different(running(solving))


def _commands(solving: Solving) -> list[CommandInterpolator]:
    limits = (solving.wall_seconds, solving.memory_megabytes, solving.requests)
    return [CommandInterpolator(Command.of(text, *limits[:2], requests=limits[2])) for text in commands(solving)]


def _events(solving: Solving) -> EventSource:
    traced = active().traced
    return ProgressLog() if traced is None else TracedLibrary(traced, solving.trace_tags)
