"""Smaller recipes: fewer parameters, nearer to their defaults, and shorter chains. The seed stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from chcfuzz.triage.shrink.search import Edits, Search, one_by_one, until_minimal

T = TypeVar("T")
Parameters = tuple[tuple[str, str], ...]


def reduce_chain(steps: Sequence[T], keeps: Callable[[tuple[T, ...]], bool]) -> tuple[T, ...]:
    """The steps without those that are not needed; without any one more of them `keeps` says no.

    `keeps` gets part of the steps in their order, and has said yes to all of them. Parts at the end of the chain are
    left out first: later steps build on earlier ones, so that these are seldom needed without them.
    """
    whole = tuple(steps)
    numbers = _least(tuple(range(len(whole))), lambda kept: keeps(tuple(whole[number] for number in kept)))
    return tuple(whole[number] for number in numbers)


def reduce_parameters(
    parameters: Parameters, keeps: Callable[[Parameters], bool], defaults: Mapping[str, str] | None = None
) -> Parameters:
    """The parameters without those that are not needed, and numbers as near to their defaults as can be.

    A parameter that is left out has its default. `defaults` are those of numbers by name, 0 where nothing is said.
    Afterwards `keeps` says no when any one more is left out, and when any one number is one nearer.
    """
    keeps = cache(keeps)
    reduced = dict(reduce_chain(parameters, keeps))

    def with_value(name: str, value: int) -> Parameters:
        return tuple({**reduced, name: str(value)}.items())

    changed = True
    while changed:
        changed = False
        for name, text in reduced.items():
            if not text.isdecimal():
                continue
            for nearer in _nearer(int(text), int((defaults or {}).get(name) or 0)):
                if keeps(with_value(name, nearer)):
                    reduced[name] = str(nearer)
                    changed = True
                    break
        if changed:
            reduced = dict(reduce_chain(tuple(reduced.items()), keeps))
    return tuple(reduced.items())


def _nearer(value: int, default: int) -> list[int]:
    """Numbers between a value and its default, the nearest to the default first, the default left out."""
    step = 1 if value > default else -1
    distance = abs(value - default)
    tried = dict.fromkeys((1, *(distance >> shift for shift in range(distance.bit_length() - 1, 0, -1)), distance - 1))
    return [default + step * far for far in tried if 0 < far < distance]


def _least(items: tuple[int, ...], keeps: Callable[[tuple[int, ...]], bool]) -> tuple[int, ...]:
    """The fewest of the items that `keeps` says yes to, as far as leaving out single ones shows it."""
    drop: Edits[tuple[int, ...], int] = Edits(
        "leave out", lambda kept: kept[::-1], lambda kept, out: tuple(item for item in kept if item not in out)
    )
    search = Search(items, one_by_one(keeps), str)
    for _ in until_minimal(search, [drop]):
        pass
    return search.best
