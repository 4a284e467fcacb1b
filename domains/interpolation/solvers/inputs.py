"""The texts that solvers read in the place of an interpolation problem, for people and for the folders of findings."""

from __future__ import annotations

from chcfuzz.domains.interpolation.solvers.scripts import READERS as STYLES
from chcfuzz.domains.interpolation.solvers.scripts import script, style_of
from chcfuzz.domains.interpolation.solvers.selection import BITWUZLA, CVC5, INSTANCES, SPACER
from chcfuzz.domains.smt.solvers.together import solver_of
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.cuts_as_horn import HornForm, to_horn
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.problem import Pairs
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Function
from chcfuzz.solvers.z3_parameters import ENGINE, with_transforms_off

READERS = (SPACER, *STYLES)


def input_for(problem: Interpolation, solver: str, options: Pairs = ()) -> str:
    """Return the text that a solver reads, by its name or the words of a command; empty if it reads the problem itself.

    Raises `ChcfuzzError` for a problem that the solver cannot get.
    """
    name = solver_of(solver)
    if name in (BITWUZLA, INSTANCES):
        return ""
    if name == SPACER:
        return _for_spacer(problem, (*_settings(solver), *options))
    style = style_of((name,))
    refused = style.refused(problem)
    if refused:
        raise ChcfuzzError(f"{name}: {refused}; merge groups, or name another solver")
    given = (*(_settings(solver) if name == CVC5 else ()), *options)
    return "".join(f"(set-option :{key} {value})\n" for key, value in given) + script(problem, style)


def _settings(name: str) -> Pairs:
    """Return the settings in the name of a solver."""
    found = (setting.partition("=") for setting in name.split(":")[1:])
    return tuple((key, value) for key, _, value in found)


def _for_spacer(problem: Interpolation, options: Pairs) -> str:
    """Return the Horn system with its options, after a comment with the atom of each cut."""
    form = to_horn(problem)
    lines = ["; The model of each predicate is an interpolant. It is about:", *_atoms(form)]
    settings = {**dict(with_transforms_off((ENGINE,))), **dict(options)}
    lines += [f"(set-option :{name} {value})" for name, value in settings.items()]
    return "\n".join((*lines, print_system(form.system)))


def _atoms(form: HornForm) -> list[str]:
    cuts = zip(form.predicates, form.arguments, strict=True)
    return [f"; ({' '.join((quoted(p.name), *map(_as_array, functions)))})" for p, functions in cuts]


def _as_array(function: Function) -> str:
    """Return a constant, or a function as an array."""
    names = [f"i{number}" for number in range(len(function.parameters))]
    text = f"({' '.join((quoted(function.name), *names))})" if names else quoted(function.name)
    for name, sort in reversed(list(zip(names, function.parameters, strict=True))):
        text = f"(lambda (({name} {sort})) {text})"
    return text
