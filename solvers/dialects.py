"""What is known of solvers that run as commands, beyond SMT-LIB: their options, and how they are asked for a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.solvers.eldarica import OPTIONS as ELDARICA_OPTIONS
from chcfuzz.solvers.options import Option


@dataclass(frozen=True)
class Dialect:
    """`programs` are the names by which a solver is known. `get_model`: the script has to ask for a model.

    `resource_limit` is the option that sets a limit by the solver's own count, empty where it has none.
    """

    name: str
    programs: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    get_model: bool = False
    resource_limit: str = ""

    def knows(self, parameter: str) -> bool:
        """Whether a parameter's name is one of this solver's options."""
        return any(self.parameter(option) == parameter for option in self.options)

    def takes(self, parameter: str, value: str) -> bool:
        """Whether a parameter is an option of this solver and the value one of those in its row.

        Any bytes are a recipe: another value may be anything, a file to be written or no text at all.
        """
        return any(self.parameter(option) == parameter and value in option.values for option in self.options)

    def parameter(self, option: Option) -> str:
        """The name that an option has as a parameter of a recipe."""
        return f"{self.name}.{option.name}"

    def switches(self, parameters: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """Parameters as words of the command line, in the order of the options' table; others are left out."""
        values = {name: value for name, value in parameters if self.takes(name, value)}
        return tuple(
            option.switch(values[self.parameter(option)]) for option in self.options if self.parameter(option) in values
        )

    def limit(self, rlimit: int) -> tuple[str, ...]:
        """The words that set the solver's own resource limit; none for 0, or where it has none."""
        return (f"{self.resource_limit}{rlimit}",) if self.resource_limit and rlimit else ()


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("plain"),
        Dialect("eldarica", programs=("eld", "eldarica"), options=ELDARICA_OPTIONS),
        Dialect("z3", programs=("z3",), get_model=True, resource_limit="rlimit="),
    )
}


def is_command_option(parameter: str) -> bool:
    """Whether a parameter's name is an option of some command."""
    return any(dialect.knows(parameter) for dialect in DIALECTS.values())


def dialect_of(words: Sequence[str]) -> Dialect:
    """The dialect that a command's program has by its name; the plain one if that is not known."""
    program = Path(words[0]).name
    return next((dialect for dialect in DIALECTS.values() if program in dialect.programs), DIALECTS["plain"])
