"""The interpolating solvers that a user selects: names, names with settings, and commands.

Nothing here imports a solver: the process that starts a campaign reads the flags too.
"""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.domains.smt.solvers.selection import Selected, SelectionError
from chcfuzz.solvers.solver_names import is_allowed, is_version

SPACER, BITWUZLA, INSTANCES, CVC5 = "spacer", "bitwuzla", "instances", "cvc5"
MODULES = {SPACER: "z3", BITWUZLA: "bitwuzla", INSTANCES: "cvc5", CVC5: "cvc5"}  # Python modules, by solver
INSIDE = tuple(MODULES)
NAMED = ("smtinterpol", "princess")  # commands on pinned jars (`jars`)
NEEDED_ONLY, SIMPLIFY = "needed-only", "simplify"
SETTINGS = (NEEDED_ONLY, SIMPLIFY)  # of interpolation by instances, true or false
DEFAULT = (SPACER, BITWUZLA)
_TRUTH = ("true", "false")
_RELEASED = (BITWUZLA, CVC5)
_FIXEDPOINT = "fp."  # the prefix of Spacer's settings


def selected(names: Sequence[str], isolated: Sequence[str]) -> tuple[Selected, ...]:
    """Return the solvers of these names, in order; raises `SelectionError`. Bitwuzla is isolated unless it is left out.

    Spacer always runs in this process: its limits hold there. cvc5 and interpolation by instances are always isolated.
    """
    found = tuple(_selected(name, isolated) for name in names)
    for number, one in enumerate(found):
        if one.name in (other.name for other in found[:number]):
            raise SelectionError(
                f"{one.name!r} is selected twice; give one of them a setting, as in spacer:fp.validate=true"
            )
    return found


def _selected(name: str, isolated: Sequence[str]) -> Selected:
    named, *settings = name.split(":")
    solver, at, release = named.partition("@")
    if solver not in INSIDE:
        raise SelectionError(
            f"no interpolating solver {name!r}; there are {', '.join((*INSIDE, *NAMED))}, and a program as "
            "--solver 'PROGRAM {}'"
        )
    if at and (solver not in _RELEASED or not is_version(release)):
        raise SelectionError(f"{named!r} is not a solver; write bitwuzla@0.9.1, or --z3 {release} for Spacer")
    pairs = tuple(_setting(setting, name, solver) for setting in settings)
    wrong = [key for key, value in pairs if solver == INSTANCES and (key not in SETTINGS or value not in _TRUTH)]
    if wrong:
        raise SelectionError(f"{wrong[0]!r} in {name!r} cannot be set; {' and '.join(SETTINGS)} are true or false")
    is_isolated = solver in (INSTANCES, CVC5) or (solver == BITWUZLA and (release != "" or solver in isolated))
    return Selected(name, solver, pairs, is_isolated, release, "chcfuzz.domains.interpolation.solvers.build")


def _setting(text: str, name: str, solver: str) -> tuple[str, str]:
    parameter, equals, value = text.partition("=")
    if not equals or not parameter or not value:
        raise SelectionError(f"{text!r} in {name!r} is not a setting; write NAME=VALUE after the colon")
    if not is_allowed(parameter, value) or (solver == SPACER and not parameter.startswith(_FIXEDPOINT)):
        raise SelectionError(f"{text!r} in {name!r} cannot be set; only truth values, numbers and words that solve")
    return parameter, value
