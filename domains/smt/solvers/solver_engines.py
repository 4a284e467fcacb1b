"""The SMT solvers of a configuration: those of `--solvers`, isolated or not, and the commands of `--cross`."""

from __future__ import annotations

from importlib.util import find_spec
from urllib.parse import quote

from chcfuzz.domains.smt.solvers import releases, selection
from chcfuzz.domains.smt.solvers.alt_ergo import AltErgo, is_alt_ergo
from chcfuzz.domains.smt.solvers.build import build
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.domains.smt.solvers.isolation import Isolated
from chcfuzz.domains.smt.solvers.program_engine import program_engine
from chcfuzz.domains.smt.solvers.selection import Selected, SelectionError, ensure_different, names_of, selected
from chcfuzz.domains.smt.solvers.smt_command import CommandEngine
from chcfuzz.domains.smt.solvers.together import SmtSolvers, front_end_of, solver_of
from chcfuzz.execution.solving import BOTH, Solving
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.other_solvers import AUTO
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.solver_statistics import StatisticsSource
from chcfuzz.tracing.source import EventSource
from chcfuzz.tracing.traced_library import TracedLibrary

_EMPTY = "(set-logic ALL)\n(check-sat)\n"
_REQUESTS = 0  # a command has a process for each problem


def smt_solvers(solving: Solving, watchdog: Watchdog) -> SmtSolvers:
    """Return the solvers of these flags, in their order.

    Raises `SelectionError` for a solver or a setting that does not exist, and `CommandError` for a command that cannot
    be started.
    """
    chosen = selected(names_of(solving.solvers), solving.isolate)
    events = _events(solving)
    engines = [_engine(one, solving, watchdog, events) for one in chosen]
    for one, engine in zip(chosen, engines, strict=True):
        _check_settings(one, engine, solving.rlimit)
    engines += [CommandEngine(command) for command in _commands(solving)]
    program = (lambda: program_beside(solving)) if has_program_beside(solving) else None
    return SmtSolvers(engines, trace_source(solving, events), program)


def has_program_beside(solving: Solving) -> bool:
    """Return whether the z3 program runs on some mutants, beside Z3's library in the release of the campaign."""
    names = names_of(solving.solvers)
    is_alone = selection.Z3 in names and selection.PROGRAM not in map(front_end_of, names)
    return is_alone and solving.front_end == BOTH and solving.program() is not None


def program_beside(solving: Solving) -> Engine:
    """Return the engine of the z3 program that runs on some mutants."""
    return program_engine(Selected(selection.PROGRAM, selection.PROGRAM, (), False), solving)


def _engine(one: Selected, solving: Solving, watchdog: Watchdog, events: EventSource | None) -> Engine:
    if one.solver == selection.PROGRAM:
        return program_engine(one, solving)
    return Isolated(one, solving, watchdog) if one.isolated else build(one, watchdog, _of_z3(one, events))


def running(solving: Solving) -> tuple[str, ...]:
    """Return the names of all solvers of these flags, those of `--cross` last; raises `CommandError`."""
    return (*names_of(solving.solvers), *(command.name for command in _commands(solving)))


def trace_source(solving: Solving, events: EventSource | None = None) -> StatisticsSource:
    """Return the source of the features of these solvers; `events` are those of a traced Z3, which has edges too."""
    events = events or _events(solving)
    names = running(solving)
    if events is None:
        return StatisticsSource(f"statistics:{quote('+'.join(names))}")
    return StatisticsSource(f"statistics:{quote('+'.join((*names, events.name)))}", events.edges)


def check_named(solving: Solving) -> tuple[Selected, ...]:
    """Return the solvers of these flags; raises a `ChcfuzzError` for a solver or a command that does not exist.

    Nothing is fetched or started.
    """
    chosen = selected(names_of(solving.solvers), solving.isolate)
    _commands(solving)
    for one in chosen:
        if one.release:
            releases.check_version(solver_of(one.solver), one.release)
        elif one.solver == selection.PROGRAM:
            program_engine(one, solving)
        elif one.solver != selection.Z3 and find_spec(one.solver) is None:
            raise SelectionError(
                f"{one.solver!r} is not installed; pip install {one.solver}, or leave it out of --solvers"
            )
    return chosen


def check_usable(solving: Solving) -> None:
    """Fetch the releases of these flags; raises a `ChcfuzzError` for a solver, a setting or a command without effect.

    Settings are tried in child processes: the calling process imports no solver.
    """
    chosen = check_named(solving)
    for one in chosen:
        if one.release:
            releases.fetched(solver_of(one.solver), one.release)
    for one in chosen:
        if one.settings:
            _try_settings(one, solving)


def _events(solving: Solving) -> EventSource | None:
    traced = active().traced
    return None if traced is None else TracedLibrary(traced, solving.trace_tags)


def _of_z3(one: Selected, events: EventSource | None) -> EventSource | None:
    return events if one.solver == selection.Z3 else None


def _commands(solving: Solving) -> list[Command]:
    if AUTO in solving.cross:
        raise SelectionError(f"--cross {AUTO} names CHC solvers; name a command, for example --cross yices-smt2")
    commands = [
        (AltErgo if is_alt_ergo(text) else Command).of(
            text, solving.wall_seconds, solving.memory_megabytes, requests=_REQUESTS
        )
        for text in solving.cross
    ]
    ensure_different([*names_of(solving.solvers), *(command.name for command in commands)])
    return commands


def _try_settings(one: Selected, solving: Solving) -> None:
    if one.solver == selection.PROGRAM:
        _check_settings(one, program_engine(one, solving), solving.rlimit)
        return
    engine = Isolated(one, solving, Watchdog(solving.wall_seconds))
    try:
        _check_settings(one, engine, solving.rlimit)
    finally:
        engine.close()


def _check_settings(one: Selected, engine: Engine, rlimit: int) -> None:
    """Let a solver with settings solve an empty problem: its outcome names the settings that it does not have."""
    left_out = engine.solve(_EMPTY, (), rlimit).left_out if one.settings else ()
    if left_out:
        raise SelectionError(
            f"{one.solver} does not have {', '.join(map(repr, left_out))} of {one.name!r}, or refuses the value; see "
            "the options in its documentation"
        )
