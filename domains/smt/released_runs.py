"""The runs of released solvers that reproduce a finding about one of several SMT solvers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path

from chcfuzz.domains.smt.solvers import releases
from chcfuzz.domains.smt.solvers.selection import PROGRAM, Z3
from chcfuzz.domains.smt.solvers.together import front_end_of, solver_of
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers import python
from chcfuzz.solvers.command import FILE
from chcfuzz.solvers.z3_release import Release, chosen, environment_of, released
from chcfuzz.triage.findings.folder import by_program
from chcfuzz.triage.findings.record import Record
from chcfuzz.triage.findings.reproducing import ReleasedRun


def released_runs(record: Record, system: str, command: Sequence[str]) -> Sequence[ReleasedRun]:
    """Return the runs of the accused solver: Z3's program, and the package of each solver, or a command."""
    if not record.releases:
        return ()
    name, release = next(iter(record.releases.items()))
    command = command or record.command
    if command or not release:
        words = tuple(word.replace(FILE, system) for word in command)
        return (ReleasedRun(by_program(words), words),) if words else ()
    z3 = _z3(record, release) if solver_of(name) == Z3 else None
    program = None if z3 is None else _program(record, release, z3)
    runs = [ReleasedRun(("z3", system), (str(program), system))] if program is not None else []
    words = ("ask_smt.py", name, system)
    environment = _of_package(name, release) if z3 is None else environment_of(z3)
    if environment is not None and front_end_of(name) != PROGRAM:
        runs.append(ReleasedRun(("python3", *words), tuple(python.command(*words)), environment))
    return runs


def _program(record: Record, release: str, z3: Release) -> Path | None:
    """Return the z3 program beside the Z3 under test, or the one that the campaign named."""
    return Solving.parsed(record.solving).program() if release == record.z3 else z3.executable


def _z3(record: Record, release: str) -> Release | None:
    """Return the Z3 under test: that of the campaign, or the release that the solver's name has."""
    if release == record.z3:
        solving = Solving.parsed(record.solving)
        return chosen(solving.z3, solving.z3_library)
    return released(release)


def _of_package(name: str, release: str) -> Mapping[str, str]:
    """Return the environment in which Python imports a release of cvc5 or Bitwuzla."""
    package = releases.PACKAGES[solver_of(name)]
    folder: Path | None = None
    if release != metadata.version(package):
        folder = releases.fetched(solver_of(name), release)
    return {} if folder is None else {"PYTHONPATH": str(folder)}
