"""Productions that are possible at a place: those of the typing table, by their words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from chcfuzz.grammar.drawing.draw import productions
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.theory import Application, derived, result_sort
from chcfuzz.learning.places import word_numbers
from chcfuzz.learning.vocabulary import (
    EVERYWHERE,
    LET,
    MORE,
    SORTS,
    arity,
    operator_results,
    operator_word,
    words,
)

_VECTORS = frozenset(name for name in SORTS if name.startswith("BV"))
_OF_KIND = {"forall": "Bool", "exists": "Bool", "predicate": "Bool", "tester": "Bool", "constructor": "ADT",
            EVERYWHERE: "Array"}  # fmt: skip


@derived
def applications(sorts: tuple[Sort, ...], is_smt: bool) -> Mapping[Sort, Mapping[str, tuple[Application, ...]]]:
    """Return the applications that make terms of these sorts from such terms, by result sort and production."""
    found: dict[Sort, Mapping[str, tuple[Application, ...]]] = {}
    for sort, by_name in productions(sorts, is_smt).items():
        here: dict[str, list[Application]] = {}
        for name, uses in by_name.items():
            for use in (*uses, *_longer(name, uses, sort)):
                here.setdefault(_word(name, use, sort), []).append(use)
        found[sort] = {word: tuple(uses) for word, uses in here.items()}
    return found


def _word(name: str, use: Application, sort: Sort) -> str:
    if name == "constructor":
        return f"constructor.{arity(len(use[1]))}"
    return name if name in ("selector", "tester", "as const") else operator_word(use[0], use[1], sort)


def _longer(name: str, uses: Iterable[Application], sort: Sort) -> list[Application]:
    """Return the applications to more arguments than the typing table lists."""
    if name == "constructor" or f"{name}.more" not in word_numbers():
        return []
    longer = [(operator, (domain[0],) * MORE) for operator, domain in uses if len(domain) == MORE - 1]
    return [use for use in longer if result_sort(*use) is sort]


def literals(sort: Sort) -> tuple[str, ...]:
    """Return the productions of values of a sort; only basic sorts have some."""
    return tuple(f"literal.{name}" for name in kind_of(sort).literal_words)


@derived
def of_class(sort: str) -> tuple[str, ...]:
    """Return the productions that terms of a class of sorts may have, over all symbols that problems may declare."""
    return tuple(word for word in words() if sort in _made_by(word))


def _made_by(word: str) -> frozenset[str]:
    """Return the classes of sorts whose terms may have a production."""
    kind, _, which = word.rpartition(".") if "." in word else (word, "", "")
    if kind in ("variable", LET, "function", "selector", "ite", "select", "seq.nth"):
        return frozenset(SORTS)
    if kind == "literal":
        fractions = frozenset(("Real", "Float"))
        numbers = fractions if which == "fraction" else frozenset(("Int", "String", *fractions, *_VECTORS))
        empty_sets = frozenset(("Array",)) if which == "0" else frozenset()
        return frozenset(("Bool",)) if which in ("true", "false") else numbers | empty_sets
    if kind in _OF_KIND:
        return frozenset((_OF_KIND[kind],))
    found = operator_results(word.rpartition(".")[0] or word)
    return found if found.isdisjoint(_VECTORS - {"BV1"}) else found | _VECTORS
