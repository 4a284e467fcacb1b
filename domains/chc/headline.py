"""The first line of a campaign on CHC systems."""

from __future__ import annotations

from chcfuzz.domains.chc.compared_program import ONE_IN
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.domains.chc.solvers.verbose_output import shows_transforms
from chcfuzz.execution.solving import PROGRAM, Solving
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.z3_program import LIBRARY, version_of
from chcfuzz.solvers.z3_release import Release


def headline(solving: Solving, release: Release) -> str:
    """Return the solver under test, and the source of its features; raises `CommandError` for a broken command."""
    command = solving.solver_command()
    if command is not None:
        return f"{command.text}, {_known(command)}; it {_tried(command)}; Z3 {release.version} checks its models"
    if release.traced:
        events = f"events of trace sites ({', '.join(solving.trace_tags)}) and edges from {release.traced}"
    else:
        transforms = " and rule transforms" if shows_transforms(release) else ", without those of rule transforms"
        events = f"events from Spacer's progress log{transforms}, library in {release.library_folder}"
    return f"Z3 {release.version}, {events}{_front_ends(solving)}"


def _front_ends(solving: Solving) -> str:
    """Return the part on the z3 program, which is named if it is not tested."""
    program = None if solving.solver is not None else solving.program()
    if solving.front_end == LIBRARY or program is None:
        return "; the z3 program is not tested"
    version = version_of(str(program))
    if solving.front_end == PROGRAM:
        return f"; the z3 program {version} is under test"
    return f"; the z3 program {version} for one mutant in {ONE_IN}"


def _known(command: Command) -> str:
    count = len(command.dialect.options)
    return f"options of {command.dialect.name} ({count})" if count else "no options known"


def _tried(command: Command) -> str:
    """Return its answer to a small system, with a verb. Raises `CommandError` if it does not even start."""
    outcome = command.solve_afresh(BUILT_IN[0])
    model = " with a model" if outcome.model is not None else ""
    reason = f" ({outcome.reason})" if outcome.reason else ""
    return f"answers {outcome.status.value}{model}{reason} where sat is right"
