"""Plans: the steps that evaluate a term without bound variables, prepared once and run in many models.

A plan computes what a strict `Evaluation` does, for functions that have one value each. Oracles compare two formulas in
dozens of models; most of that time went into finding the same steps again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from chcfuzz.grammar.evaluation.evaluate import LENIENT, operation
from chcfuzz.grammar.evaluation.values import UNDETERMINED
from chcfuzz.grammar.models.structures import READ_BY_INDEX
from chcfuzz.grammar.models.universes import Result, compared, is_fragile
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.terms import Apply, Call, Function, Term, Value, postorder

MOST_NODES = 400  # fewer than the steps that an `Evaluation` may always take
_KEPT = 512  # plans

_Compute = Callable[[Sequence[Any]], Result]


class TermPlan:
    """The steps for one term, children first; each result has a place in a list."""

    def __init__(self, nodes: Sequence[Term]) -> None:
        """Prepare the steps for the last one of these nodes."""
        places = {node: place for place, node in enumerate(nodes)}
        self._first = [node.value if isinstance(node, Value) else None for node in nodes]
        self._functions = [(places[node], node.function) for node in nodes if isinstance(node, Call)]
        self._steps = [
            (places[node], _computation(node), tuple(places[child] for child in node.children))
            for node in nodes
            if isinstance(node, Apply)
        ]

    @property
    def is_constant(self) -> bool:
        """Whether the value does not depend on functions."""
        return not self._functions

    def value(self, value_of: Callable[[Function], Result]) -> Result:
        """Return the value of the term for these values of functions; UNDETERMINED if it is open."""
        found: list[Any] = self._first.copy()
        for place, function in self._functions:
            found[place] = value_of(function)
        for place, compute, children in self._steps:
            found[place] = compute([found[child] for child in children])
        return found[-1]  # type: ignore[no-any-return]


@lru_cache(maxsize=_KEPT)
def plan_of(term: Term) -> TermPlan | None:
    """Return the plan for a term; None for a term with variables, with predicates, or with too many nodes."""
    nodes: list[Value | Call | Apply] = []
    for node in postorder(term):
        if not isinstance(node, Value | Call | Apply) or len(nodes) == MOST_NODES:
            return None
        nodes.append(node)
    return TermPlan(nodes)


def _computation(here: Apply) -> _Compute:
    """Return the function from the values of the arguments to that of an application."""
    if here.operator in ("=", "distinct") and is_fragile(here.children[0].sort):
        return lambda args: compared(here.operator, args, here.children[0].sort)
    if here.operator in LENIENT:
        return LENIENT[here.operator]
    if here.operator in READ_BY_INDEX and is_fragile(here.children[1].sort):
        return lambda _: UNDETERMINED
    return _application(here)


def _application(here: Apply) -> _Compute:
    compute, sort, normal = operation(here), here.sort, kind_of(here.sort).normal

    def value(args: Sequence[Any]) -> Result:
        if UNDETERMINED in args:
            return UNDETERMINED
        found = compute(here, *args)
        return found if found is UNDETERMINED else normal(found, sort)

    return value
