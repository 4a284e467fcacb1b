"""The SMT solvers that a user selects: `z3`, `z3:sat.euf=true` with settings of its own, or the release `z3@5.3.0.0`.

Nothing here imports a solver: the process that starts a campaign reads the flags too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers import z3_program
from chcfuzz.solvers.solver_names import ISOLATED, is_allowed, is_self_check, is_version

Z3, CVC5, BITWUZLA = "z3", "cvc5", "bitwuzla"
SOLVERS = (Z3, CVC5, BITWUZLA)
PROGRAM = z3_program.NAME  # runs in processes of its own


class SelectionError(ChcfuzzError):
    """A solver or a setting that does not exist; the message names it and the next action."""


@dataclass(frozen=True)
class Selected:
    """A solver with settings: `name` is the text of the user, `solver` one of `SOLVERS`.

    With `isolated`, it runs in a child process. `release` is a version, empty for the release of the campaign.
    `builder` is the module whose `build` makes it.
    """

    name: str
    solver: str
    settings: tuple[tuple[str, str], ...]
    isolated: bool
    release: str = ""
    builder: str = "chcfuzz.domains.smt.solvers.build"


def ensure_different(names: Sequence[str]) -> None:
    """Raise `SelectionError` if two solvers, or commands of `--cross`, have one name: only one of them would run."""
    twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
    if twice is not None:
        raise SelectionError(f"two solvers have the name {twice!r}; give the program of one a link with another name")


def names_of(solvers: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names in `--solvers`, or all solvers without it; raises `SelectionError` for an empty text."""
    if solvers is not None and not solvers:
        raise SelectionError(f"--solvers is empty; name some of {', '.join(SOLVERS)}")
    return SOLVERS if solvers is None else tuple(solvers)


def of_program(name: str) -> str:
    """Return the name of a solver with the z3 program in the place of Z3's library."""
    is_library = name.partition(":")[0].partition("@")[0] == Z3
    return f"{PROGRAM}{name.removeprefix(Z3)}" if is_library else name


def selected(names: Sequence[str], isolated: Sequence[str] = ISOLATED) -> tuple[Selected, ...]:
    """Return the solvers of these names, in order; raises `SelectionError`."""
    for name in isolated:
        _check_solver(name, name)
    found = tuple(_selected(name, isolated) for name in names)
    for number, one in enumerate(found):
        if one.name in (other.name for other in found[:number]):
            raise SelectionError(f"{one.name!r} is selected twice; give one of them a setting, as in z3:sat.euf=true")
    return found


def _selected(name: str, isolated: Sequence[str]) -> Selected:
    named, *settings = name.split(":")
    solver, at, release = named.partition("@")
    _check_solver(solver, name)
    if at and not is_version(release):
        raise SelectionError(f"{release!r} in {name!r} is not a version; write {solver}@1.3.2, as the package has it")
    if release and solver != PROGRAM:
        isolated = (*isolated, solver)  # a process has one release of a package
    pairs = tuple(_setting(setting, name) for setting in settings)
    for parameter, _ in pairs:
        if is_self_check(parameter) and solver not in (*isolated, PROGRAM):
            raise SelectionError(
                f"{parameter!r} in {name!r} ends the process if it fails; add --isolate {','.join((*isolated, solver))}"
            )
    return Selected(name, solver, pairs, solver in isolated, release)


def _check_solver(solver: str, name: str) -> None:
    if solver not in (*SOLVERS, PROGRAM):
        names = ", ".join((*SOLVERS, PROGRAM))
        raise SelectionError(f"no SMT solver {name!r}; there are {names}, and commands with --cross")


def _setting(text: str, name: str) -> tuple[str, str]:
    parameter, equals, value = text.partition("=")
    if not equals or not parameter or not value:
        raise SelectionError(f"{text!r} in {name!r} is not a setting; write NAME=VALUE after the colon")
    if not is_allowed(parameter, value):
        raise SelectionError(f"{text!r} in {name!r} cannot be set; only truth values, numbers and words that solve")
    return parameter, value
