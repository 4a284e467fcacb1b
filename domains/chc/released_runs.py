"""The runs of released solvers that reproduce a finding on a CHC system."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.execution.solving import Solving
from chcfuzz.oracles.verdict import Subject, facts_of
from chcfuzz.solvers import python
from chcfuzz.solvers.command import FILE
from chcfuzz.solvers.z3_release import chosen, environment_of
from chcfuzz.triage.findings.folder import by_program
from chcfuzz.triage.findings.record import Record
from chcfuzz.triage.findings.reproducing import ReleasedRun


def released_runs(record: Record, system: str, command: Sequence[str]) -> Sequence[ReleasedRun]:
    """Return the runs of the z3 program and of the library, or of a command; none for a class in Spacer's place."""
    solving = Solving.parsed(record.solving)
    if solving.solver is not None:
        return ()
    command = command or record.command
    if command:
        words = tuple(word.replace(FILE, system) for word in command)
        return (ReleasedRun(by_program(words), words),)
    more = ("-model",) if facts_of(record.kind).subject is Subject.MODEL else ()
    program, release = solving.program(), chosen(solving.z3, solving.z3_library)
    runs = [] if program is None else [ReleasedRun(("z3", system, *more), (str(program), system, *more))]
    environment = None if release is None or record.front_end else environment_of(release)
    if environment is not None:
        words = ("ask_z3.py", system, *more)
        runs.append(ReleasedRun(("python3", *words), tuple(python.command(*words)), environment))
    return runs
