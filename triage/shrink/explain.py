"""Constants of a reduced problem that do not matter, because other values show the same, too.

Reduction makes each constant as simple as possible, so the text does not show whether a 0 matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from chcfuzz.grammar.printing.printer import print_value
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.terms import Value
from chcfuzz.triage.shrink.sites import TermSite, edited, sites

MOST = 20  # constants that are tried


@dataclass(frozen=True)
class Replaceable:
    """A constant that can be replaced by each of the tried `values` alone.

    `formula` counts clauses or assertions from 1, and `occurrence` the same constants in the formula from 1.
    """

    formula: int
    constant: str
    occurrence: int
    values: tuple[str, ...]


def replaceable(problem: BaseProblem, passes: Callable[[BaseProblem], bool]) -> Iterator[Replaceable]:
    """Yield the constants for which every tried value passes the test."""
    seen: Counter[tuple[int, Value]] = Counter()
    found = [site for site in sites(problem) if isinstance(site.term, Value) and other_values(site.term)]
    for site in found[:MOST]:
        assert isinstance(site.term, Value)
        seen[site.clause, site.term] += 1
        values = other_values(site.term)
        if all(_passes(problem, site, value, passes) for value in values):
            number = seen[site.clause, site.term]
            yield Replaceable(site.clause + 1, print_value(site.term), number, tuple(map(print_value, values)))


def _passes(problem: BaseProblem, site: TermSite, value: Value, passes: Callable[[BaseProblem], bool]) -> bool:
    changed = edited(problem, [site.put(value)])
    return changed is not None and passes(changed)


def other_values(constant: Value) -> list[Value]:
    """Return a few other values of the sort of a number or a bit-vector; empty for other constants."""
    return list(kind_of(constant.sort).others(constant))
