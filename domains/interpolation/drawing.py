"""Drawn interpolation problems, all unsatisfiable: paths of C programs, and unrollings of drawn CHC systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from chcfuzz.domains.chc.generation.generate import generated
from chcfuzz.domains.interpolation.drawn_paths import drawn_path
from chcfuzz.domains.interpolation.memory_families import FAMILIES, NEED_AXIOMS, family_path
from chcfuzz.domains.interpolation.memory_paths import ENCODINGS, path_problem
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.interpolation.unrolling import from_system

_SIZES = (1, 2, 2, 3, 3, 4, 5, 6, 8)  # of families
_MOST_STEPS = 10  # statements of a path with a group for each
_PREDICATES = (1, 1, 2, 3)  # of a system that is unrolled
_DEPTHS = (1, 1, 2, 3)
_MOST_NODES = 3000  # of an unrolling


def memory(choices: Choices) -> Interpolation:
    """Draw a path of a family or one of drawn assignments, with a cut or a group for each statement."""
    if choices.boolean():
        family = choices.pick(tuple(FAMILIES))
        path = family_path(family, choices.pick(_SIZES))
        encoding = ENCODINGS[0] if family in NEED_AXIOMS else choices.pick(ENCODINGS)
        path = replace(path, cut=choices.integer(1, len(path.assignments)))
    else:
        path, encoding = drawn_path(choices), choices.pick(ENCODINGS)
    has_steps = choices.index(4) == 0 and 1 < len(path.assignments) <= _MOST_STEPS
    return path_problem(path, encoding, has_steps)


def unrolling(choices: Choices) -> Interpolation:
    """Draw a CHC system with a model, and state that false has a derivation of a low depth."""
    made = generated("sat", choices, sizes=_PREDICATES)
    try:
        found = from_system(made.system.with_header((("status", "sat"),), ()), choices.pick(_DEPTHS))
    except ChcfuzzError:  # too large
        return memory(choices)
    return found if found.cuts and found.nodes <= _MOST_NODES else memory(choices)


KINDS: Mapping[str, Callable[[Choices], Interpolation]] = {"memory": memory, "unrolling": unrolling}


def drawn(choices: Choices) -> Interpolation:
    """Draw a problem of any kind."""
    return KINDS[choices.pick(tuple(KINDS))](choices)
