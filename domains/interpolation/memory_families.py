"""Families of paths of C programs by their size, all unsatisfiable.

They follow the experiments of the paper on quantified interpolation in CSIsat: paths that need no instance of an axiom,
one for the whole path, or one for each statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chcfuzz.domains.interpolation.memory_paths import (
    Address,
    Field,
    Path,
    Place,
    Pointed,
    Sum,
    Value,
    variables,
)
from chcfuzz.grammar.errors import ChcfuzzError

_F, _NEXT = 0, 1  # the fields of a cell of a list


def _path(
    steps: list[tuple[Place, Value]], different: tuple[Value, Value], cut: int, number: int, first: bool = False
) -> Path:
    return Path(tuple(steps), different, max(cut, 1), number, first)


def _copies(n: int) -> Path:
    """Make each variable a copy of the one before."""
    x = variables(n)
    steps: list[tuple[Place, Value]] = [(x[0], 7)]
    steps += [(x[i], Sum(x[i - 1])) for i in range(1, n)]
    return _path(steps, (Sum(x[-1]), 7), len(steps) // 2, n)


def _swaps(n: int) -> Path:
    """Exchange two variables n times."""
    x, y, t = variables(3)
    steps: list[tuple[Place, Value]] = [(x, 1), (y, 2)]
    for _ in range(n):
        steps += [(t, Sum(x)), (x, Sum(y)), (y, Sum(t))]
    return _path(steps, (Sum(x), 2 if n % 2 else 1), len(steps) // 2, 3)


def _kept(n: int) -> Path:
    """Keep a pointer to a variable over n other assignments."""
    x, p, *others = variables(n + 2)
    steps: list[tuple[Place, Value]] = [(x, 7), (p, Address(x))]
    steps += [(other, i) for i, other in enumerate(others)]
    return _path(steps, (Sum(Pointed(p)), 7), len(steps) // 2, n + 2)


def _chain(n: int) -> Path:
    """Read each number through a pointer and store the next one."""
    a, p = variables(n + 1), variables(2 * n + 1)[n + 1 :]
    steps: list[tuple[Place, Value]] = [(a[0], 0)]
    for i in range(n):
        steps += [(p[i], Address(a[i])), (a[i + 1], Sum(Pointed(p[i]), 1))]
    return _path(steps, (Sum(a[n]), n), 1 + 2 * (n // 2), 2 * n + 1)


def _deep(n: int) -> Path:
    """Make pointers to pointers, and read through all of them."""
    x = variables(n + 1)
    steps: list[tuple[Place, Value]] = [(x[0], 7)]
    steps += [(x[i], Address(x[i - 1])) for i in range(1, n + 1)]
    place: Place = x[n]
    for _ in range(n):
        place = Pointed(place)
    return _path(steps, (Sum(place), 7), len(steps) // 2, n + 1)


def _beside(n: int) -> Path:
    """Copy variables, and assign elements of an array and a field of a struct in between."""
    s, array, *x = variables(n + 2)
    steps: list[tuple[Place, Value]] = [(x[0], 7)]
    for i in range(1, n):
        steps += [(Field(array, i), i), (Field(Pointed(s), _F), i), (x[i], Sum(x[i - 1]))]
    return _path(steps, (Sum(x[-1]), 7), len(steps) // 2, n + 2)


def _first_element(n: int) -> Path:
    """Copy the address of an array and the address of its first element."""
    array, p, q, *x = variables(2 * n + 3)
    steps: list[tuple[Place, Value]] = [(p, Address(array)), (q, Address(Field(array, 0)))]
    one, other = p, q
    for i in range(n):
        steps += [(x[2 * i], Sum(one)), (x[2 * i + 1], Sum(other))]
        one, other = x[2 * i], x[2 * i + 1]
    return _path(steps, (Sum(one), Sum(other)), len(steps) // 2, 2 * n + 3, first=True)


def _elements(n: int) -> Path:
    """Assign the elements of an array, and read one of them back."""
    (array,) = variables(1)
    steps: list[tuple[Place, Value]] = [(Field(array, i), i + 1) for i in range(n)]
    middle = (n - 1) // 2
    return _path(steps, (Sum(Field(array, middle)), middle + 1), (middle + n) // 2, 1)


def _fields(n: int) -> Path:
    """Assign the fields of a struct through a pointer, and add one to each."""
    s, t = variables(2)
    steps: list[tuple[Place, Value]] = [(Field(Pointed(s), i), i) for i in range(n)]
    steps += [(Field(Pointed(s), i), Sum(Field(Pointed(s), i), 1)) for i in range(n)]
    steps.append((t, Sum(Field(Pointed(s), n - 1))))
    return _path(steps, (Sum(t), n), n, 2)


def _list(n: int) -> Path:
    """Write numbers into the cells of a list, keep the last one in t, and walk on."""
    s, t = variables(2)
    step: tuple[Place, Value] = (s, Sum(Field(Pointed(s), _NEXT)))
    steps: list[tuple[Place, Value]] = []
    for i in range(1, n):
        steps += [(Field(Pointed(s), _F), i), step]
    steps += [(Field(Pointed(s), _F), n), (t, Sum(s))]
    cut = len(steps)
    steps += [step] * (n // 2 - 1)
    return _path(steps, (Sum(Field(Pointed(t), _F)), n), cut, 2)


FAMILIES: Mapping[str, Callable[[int], Path]] = {
    "copies": _copies,
    "swaps": _swaps,
    "kept": _kept,
    "chain": _chain,
    "deep": _deep,
    "beside": _beside,
    "first-element": _first_element,
    "elements": _elements,
    "fields": _fields,
    "list": _list,
}
NEED_AXIOMS = ("first-element",)  # the address of a field is not a number in the other encodings


def family_path(family: str, n: int) -> Path:
    """Return the path of a family of a size from 1 on; raises `ChcfuzzError`."""
    if family not in FAMILIES:
        raise ChcfuzzError(f"{family} is not a family of paths; name one of {', '.join(FAMILIES)}")
    if n < 1:
        raise ChcfuzzError(f"a path of size {n}: sizes begin with 1")
    return FAMILIES[family](n)
