"""The z3 program of a release or a build, beside its library: the front end that most people run.

The program reads and numbers terms in another order than the library does, and sets other parameters. A bug may show
in one of them alone, as in Z3 issue 7417.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.solvers import solver_session
from chcfuzz.solvers.command import Command, CommandError, start_error
from chcfuzz.solvers.dialect import Dialect
from chcfuzz.solvers.process_group import run_program

NAME, LIBRARY = "z3-program", "library"  # the front ends, in the parameter `solver` of a recipe
_SECONDS = 60.0  # to print the names of the parameters
_MODULE = re.compile(r"\[module\] (\w+)")
_PARAMETER = re.compile(r" {4}([\w.]+) \(")

IsSettable = Callable[[str, str], bool]


@dataclass(frozen=True)
class ProgramDialect(Dialect):
    """The command line of the z3 program: each parameter is a word NAME=VALUE.

    It takes those parameters in `known` that `is_settable` allows.
    """

    known: frozenset[str] = frozenset()
    is_settable: IsSettable = lambda _name, _value: False

    def knows(self, parameter: str) -> bool:
        """Return whether the program has this parameter."""
        return parameter in self.known

    def takes(self, parameter: str, value: str) -> bool:
        """Return whether the program has this parameter, and it may be set to this value."""
        return parameter in self.known and self.is_settable(parameter, value)

    def switches(self, parameters: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """Return the words that set these parameters; omit unknown ones."""
        return tuple(f"{name}={value}" for name, value in parameters if self.takes(name, value))


def z3_program(
    program: Path, is_settable: IsSettable, wall_seconds: float, memory_megabytes: int, requests: int = 0
) -> Command:
    """Return the z3 program as a command; one process solves `requests` problems. Raises `CommandError`."""
    dialect = ProgramDialect(
        NAME,
        get_model=True,
        resource_limit="rlimit=",
        protocol=solver_session.SMT_LIB,
        known=parameters_of(str(program)),
        is_settable=is_settable,
    )
    return Command((str(program),), wall_seconds, memory_megabytes, dialect, requests)


@functools.cache
def parameters_of(program: str) -> frozenset[str]:
    """Return the names of the parameters that a z3 program has; raises `CommandError` if it cannot be started."""
    found: set[str] = set()
    module = ""
    for line in _output(program, "-p").splitlines():
        heading, named = _MODULE.match(line), _PARAMETER.match(line)
        if heading is not None:
            module = f"{heading[1]}."
        elif named is not None:
            found.add(f"{module}{named[1]}")
    return frozenset(found)


@functools.cache
def version_of(program: str) -> str:
    """Return the version that a z3 program prints; empty for another program. Raises `CommandError`."""
    found = re.match(r"Z3 version (\d+(?:\.\d+)+)", _output(program, "-version"))
    return found[1] if found else ""


def _output(program: str, word: str) -> str:
    try:
        return run_program([program, word], _SECONDS, CommandError).out
    except OSError as error:
        raise start_error(program, error) from error
