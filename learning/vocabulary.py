"""Productions as words: kinds of nodes with their classes, from a vocabulary that the typing table determines.

A word is a kind and a class: `variable.last`, `literal.small`, `forall.2`, `let`, `function.1`, `predicate.more`,
`constructor.0`, `selector`, `tester`, `as const`, or an operator with its number of arguments (`and.more`) or with the
effect of its indices on the width (`extract.half`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache

from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, array, bitvec
from chcfuzz.grammar.theory import derived, operators, split_operator, theories

START = "start"  # the parent of an assertion, and the left sibling of a first argument
CLAUSE = "clause"  # the parent of a clause of a CHC system
LET = "let"  # a term that occurred before
EVERYWHERE = "as const"
LITERALS = ("true", "false", "0", "1", "-1", "small", "power", "near", "fraction", "large")
QUANTIFIERS = ("forall", "exists")
WIDTHS = ("bit", "same", "half", "double", "other")  # of the result, compared to the argument
SORTS = ("Bool", "Int", "Real", "BV1", "BV-7", "BV8", "BV-31", "BV32", "BV-63", "BV64", "BV-more", "Array", "ADT", "U",
         "String", "Float")  # fmt: skip

_SORTED = 7  # theories whose operators are in alphabetical order together; those of each later one are behind them
MORE = 4  # arguments at least of the class "more"
_ARITIES = ("0", "1", "2", "3", "more")
# Words of variables, by how long ago they were used among those of their sort; of quantifiers; of predicates.
VARIABLES = ("variable.last", "variable.second", "variable.older", "variable.new")
QUANTIFIED = tuple(f"{kind}.{number}" for kind in QUANTIFIERS for number in _ARITIES[1:])
PREDICATES = tuple(f"predicate.{number}" for number in _ARITIES)
_BYTE, _CELLS = bitvec(8), array(INT, INT)
_DOMAINS = tuple(
    domain
    for number in range(1, MORE + 1)
    for domain in (
        *([sort] * number for sort in (BOOL, INT, REAL, _BYTE)),
        [_CELLS, INT][:number],
        [_CELLS, INT, INT][:number],
        [BOOL, INT, INT][:number],
    )
)


def arity(number: int) -> str:
    """Return the class of a number of arguments: the number itself, or "more"."""
    return _ARITIES[min(number, MORE)]


@lru_cache(maxsize=4096)
def sort_class(sort: Sort) -> str:
    """Return the class of a sort, one of `SORTS`."""
    return kind_of(sort).word(sort)


def operator_word(operator: str, domain: Iterable[Sort], result: Sort) -> str:
    """Return the word of an operator of the theories, applied to arguments of these sorts."""
    return _operator_word(operator, tuple(domain), result)


@lru_cache(maxsize=4096)
def _operator_word(operator: str, sorts: tuple[Sort, ...], result: Sort) -> str:
    name, indices = split_operator(operator)
    if name.startswith(f"({EVERYWHERE} "):
        return EVERYWHERE
    return f"{name}.{_change_of_width(sorts[0], result)}" if indices else f"{name}.{arity(len(sorts))}"


def _change_of_width(argument: Sort, result: Sort) -> str:
    if not argument.is_bitvector:
        return "other"
    before, after = argument.width, result.width
    if after == 1:
        return "bit"
    return {before: "same", before // 2: "half", 2 * before: "double"}.get(after, "other")


@derived
def words() -> tuple[str, ...]:
    """Return all words, in an order that depends on the typing table alone; no model draws functions."""
    fixed = [*VARIABLES, *(f"literal.{name}" for name in LITERALS), *QUANTIFIED]
    fixed += [LET, *(f"function.{number}" for number in _ARITIES[1:]), *PREDICATES]
    fixed += [*(f"constructor.{number}" for number in _ARITIES), "selector", "tester", EVERYWHERE]
    of_theories = (
        f"{name}.{each}"
        for added in (theories()[:_SORTED], *([each] for each in theories()[_SORTED:]))
        for name in sorted(each.name for theory in added for each in theory.operators if not each.takes_functions)
        for each in _classes(name)
    )
    return (START, CLAUSE, *fixed, *of_theories)


def _classes(name: str) -> Iterable[str]:
    """Return the numbers of arguments that an operator takes, or the changes of width that it makes."""
    return dict.fromkeys(arity(len(domain)) for domain, _ in _uses(name)) or WIDTHS


@derived
def _samples() -> tuple[Sort, ...]:
    return tuple(sort for theory in theories() for sort in theory.samples)


@derived
def _uses(name: str) -> Sequence[tuple[tuple[Sort, ...], Sort]]:
    """Return sorts of arguments that an operator takes, with the sort that it gives for them."""
    if name not in operators():
        return ()
    rule = operators()[name].rule
    samples = _samples()
    places = rule.places((BOOL, INT, *samples)) if samples else []
    many = [(sort,) * MORE for sort in samples]
    domains = [*_DOMAINS, *(domain for indices, domain in places if not indices), *many]
    found = ((tuple(domain), rule.result((), domain)) for domain in domains)
    return [(domain, result) for domain, result in found if result is not None]


def operator_results(name: str) -> frozenset[str]:
    """Return classes of the sorts of an operator's applications; all others of bit-vectors stand behind "BV8"."""
    found = frozenset(sort_class(result) for _, result in _uses(name))
    return found or _results_with_indices(name) or frozenset(("BV8",))


def _results_with_indices(name: str) -> frozenset[str]:
    rule = operators()[name].rule if name in operators() else None
    places = rule.places(_samples()) if rule else []
    results = (rule.result(indices, domain) for indices, domain in places if indices and rule)
    return frozenset(sort_class(result) for result in results if result is not None)


@derived
def digest() -> str:
    """Return the digest of the vocabulary: counts of models refer to its words by number."""
    return hashlib.blake2b("\n".join((*words(), *SORTS)).encode(), digest_size=8).hexdigest()
