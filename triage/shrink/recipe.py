"""Reduction of recipes: fewer parameters, values nearer to their defaults, shorter chains. The seed does not change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from chcfuzz.triage.shrink.search import Edits, Search, one_by_one, until_minimal

T = TypeVar("T")
Parameters = tuple[tuple[str, str], ...]


def reduce_chain(steps: Sequence[T], passes: Callable[[tuple[T, ...]], bool]) -> tuple[T, ...]:
    """Return the steps that are needed: `passes` refuses the result without any one of its steps.

    `passes` gets part of the steps in order; it is assumed to accept all of them. Steps at the end of the chain are
    removed first: later steps build on earlier ones, so they are rarely needed without them.
    """
    whole = tuple(steps)
    numbers = _least(tuple(range(len(whole))), lambda kept: passes(tuple(whole[number] for number in kept)))
    return tuple(whole[number] for number in numbers)


def reduce_parameters(
    parameters: Parameters, passes: Callable[[Parameters], bool], defaults: Mapping[str, str] | None = None
) -> Parameters:
    """Return the parameters that are needed, with numbers as near to their defaults as possible.

    A parameter that is removed has its default. `defaults` holds the defaults of numeric parameters by name, 0 if
    missing. `passes` refuses the result without any one parameter, and with any one number nearer to its default by
    one.
    """
    passes = cache(passes)
    reduced = dict(reduce_chain(parameters, passes))

    def with_value(name: str, value: int) -> Parameters:
        return tuple({**reduced, name: str(value)}.items())

    changed = True
    while changed:
        changed = False
        for name, text in reduced.items():
            if not text.isdecimal():
                continue
            for nearer in _nearer(int(text), int((defaults or {}).get(name) or 0)):
                if passes(with_value(name, nearer)):
                    reduced[name] = str(nearer)
                    changed = True
                    break
        if changed:
            reduced = dict(reduce_chain(tuple(reduced.items()), passes))
    return tuple(reduced.items())


def _nearer(value: int, default: int) -> list[int]:
    """Return numbers between a value and its default, the nearest to the default first, without the default."""
    step = 1 if value > default else -1
    distance = abs(value - default)
    tried = dict.fromkeys((1, *(distance >> shift for shift in range(distance.bit_length() - 1, 0, -1)), distance - 1))
    return [default + step * far for far in tried if 0 < far < distance]


def _least(items: tuple[int, ...], passes: Callable[[tuple[int, ...]], bool]) -> tuple[int, ...]:
    """Return the fewest items that pass, as far as removing single items can find them."""
    drop: Edits[tuple[int, ...], int] = Edits(
        "leave out", lambda kept: kept[::-1], lambda kept, out: tuple(item for item in kept if item not in out)
    )
    search = Search(items, one_by_one(passes), str)
    for _ in until_minimal(search, [drop]):
        pass
    return search.best
