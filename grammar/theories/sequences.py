"""Sequences of Z3 and cvc5 over any sort of elements: the operators that both have, and some that only one has.

A value is a tuple of the values of elements. The element behind the end of a sequence is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from chcfuzz.grammar.evaluation.values import UNDETERMINED, ArrayValue
from chcfuzz.grammar.sort_kinds import SortKind, is_first_class, kind_of
from chcfuzz.grammar.sorts import BOOL, FUNCTION, INT, Sort, is_function
from chcfuzz.grammar.terms import Apply, Term, apply, integer
from chcfuzz.grammar.theories.element_sorts import ElementSorts, element_of
from chcfuzz.grammar.theory import ALONE_IN_Z3, ExtensionKind, Indices, Lenience, Operator, Sorts, Theory, TypingRule

NAME, EMPTY = "Seq", "seq.empty"
READERS = frozenset(("smtlib", "z3", "cvc5"))

_SOURCE = "src/ast/seq_decl_plugin.cpp"
_OLD_NAMES = {"seq.fold_left": "seq.foldl", "seq.fold_lefti": "seq.foldli"}

Items = tuple[Any, ...]


class Sequences(ElementSorts):
    """Sequences; only the empty one is a constant."""

    name, plural, empty_name = NAME, "sequences", EMPTY
    learned_as = "String"
    readers = READERS
    made_of = tuple

    def has(self, value: Any, _sort: Sort) -> bool:
        """Determine whether a value is a tuple, as sequences are."""
        return isinstance(value, tuple)

    def parts(self, value: Any, sort: Sort) -> list[tuple[Any, Sort]]:
        """Return the elements."""
        return [(each, element_of(sort)) for each in value]

    def of_elements(self, sort: Sort, elements: Sequence[Term]) -> Term:
        """Return the sequence of these elements."""
        units = [Apply("seq.unit", (element,)) for element in elements]
        return self.empty(sort) if not units else units[0] if len(units) == 1 else Apply("seq.++", units)


_SEQUENCES = Sequences()
sequence = _SEQUENCES.sort
is_sequence = _SEQUENCES.has_sort
empty = _SEQUENCES.empty
of_elements = _SEQUENCES.of_elements


# Typing


def _rule(takes: str, gives: str) -> TypingRule:
    """Return the rule of a signature in letters: S the sequence, E its elements, I Int, B Bool."""

    def meaning(letter: str, sort: Sort) -> Sort:
        return {"S": sort, "I": INT, "B": BOOL}.get(letter) or element_of(sort)

    def rule(indices: Indices, sorts: Sorts) -> Sort | None:
        if indices or not sorts or not is_sequence(sorts[0]):
            return None
        fits = tuple(sorts) == tuple(meaning(letter, sorts[0]) for letter in takes)
        return meaning(gives, sorts[0]) if fits else None

    def places(sorts: Sorts) -> list[tuple[Indices, tuple[Sort, ...]]]:
        found = (tuple(meaning(letter, sort) for letter in takes) for sort in sorts if is_sequence(sort))
        return [((), domain) for domain in found if all(each in sorts for each in domain)]

    return TypingRule(rule, places)


def _joined(indices: Indices, sorts: Sorts) -> Sort | None:
    fits = not indices and len(sorts) >= 2 and is_sequence(sorts[0]) and all(sort is sorts[0] for sort in sorts)
    return sorts[0] if fits else None


def _several(sorts: Sorts) -> list[tuple[Indices, tuple[Sort, ...]]]:
    return [((), (sort,) * number) for sort in sorts if is_sequence(sort) for number in (2, 3)]


# Values


def find(items: Items, part: Items, start: int = 0) -> int:
    """Return the first position of a part from a position on; -1 if it is not there, or the position is outside."""
    if not 0 <= start <= len(items):
        return -1
    ends = range(start, len(items) - len(part) + 1)
    return next((at for at in ends if items[at : at + len(part)] == part), -1)


def _extracted(_: Apply, items: Items, start: int, length: int) -> Items:
    return items[start : start + length] if 0 <= start < len(items) and length > 0 else ()


def _replaced(_: Apply, items: Items, old: Items, new: Items) -> Items:
    at = find(items, old)
    return items if at < 0 else items[:at] + new + items[at + len(old) :]


def _replaced_all(_: Apply, items: Items, old: Items, new: Items) -> Items:
    done: Items = ()
    while old and (at := find(items, old)) >= 0:
        done, items = done + items[:at] + new, items[at + len(old) :]
    return done + items


def _updated(_: Apply, items: Items, start: int, new: Items) -> Items:
    """Return the items with those from a position on replaced, as many as there are."""
    if not 0 <= start < len(items):
        return items
    return (items[:start] + new + items[start + len(new) :])[: len(items)]


def _last_position(_: Apply, items: Items, part: Items) -> int:
    places = range(len(items) - len(part), -1, -1)
    return next((at for at in places if items[at : at + len(part)] == part), -1)


def _nth(_: Apply, items: Items, at: int) -> Any:
    return items[at] if 0 <= at < len(items) else UNDETERMINED


# Functions over sequences, which Z3 alone has: a function is a `lambda`, or for `seq.map` an array.

FunctionValue = Callable[..., Any]


def _image(function: Sort, domain: Sequence[Sort]) -> Sort | None:
    """Return the sort of the results of a function with these arguments."""
    if function.is_array:
        return function.element if list(domain) == [function.index] else None
    fits = is_function(function) and list(function.parameters[:-1]) == list(domain)
    result = function.parameters[-1] if fits else None
    return result if isinstance(result, Sort) else None


def _of_elements(has_position: bool) -> TypingRule:
    """Return the rule of `seq.map` and `seq.mapi`."""

    def rule(indices: Indices, sorts: Sorts) -> Sort | None:
        function, *positions, items = sorts if len(sorts) > 1 else (INT, INT)
        if indices or positions != [INT] * has_position or not is_sequence(items):
            return None
        image = _image(function, [*positions, element_of(items)])
        return sequence(image) if image is not None and is_first_class(image) else None

    return TypingRule(rule, _nowhere)


def _of_fold(has_position: bool) -> TypingRule:
    """Return the rule of `seq.foldl` and `seq.foldli`."""

    def rule(indices: Indices, sorts: Sorts) -> Sort | None:
        function, *positions, start, items = sorts if len(sorts) > 2 else (INT, INT, INT)
        if indices or positions != [INT] * has_position or not is_sequence(items):
            return None
        image = _image(function, [*positions, start, element_of(items)])
        return start if image is start else None

    return TypingRule(rule, _nowhere)


def _nowhere(_sorts: Sorts) -> list[tuple[Indices, tuple[Sort, ...]]]:
    return []


def _mapped(_: Apply, function: FunctionValue | ArrayValue, items: Items) -> Any:
    call = function.__getitem__ if isinstance(function, ArrayValue) else function
    made = tuple(call(each) for each in items)
    return UNDETERMINED if UNDETERMINED in made else made


def _mapped_with_position(_: Apply, function: FunctionValue, first: int, items: Items) -> Any:
    made = tuple(function(at, each) for at, each in enumerate(items, first))
    return UNDETERMINED if UNDETERMINED in made else made


def _folded(_: Apply, function: FunctionValue, start: Any, items: Items) -> Any:
    for each in items:
        start = UNDETERMINED if start is UNDETERMINED else function(start, each)
    return start


def _folded_with_position(_: Apply, function: FunctionValue, first: int, start: Any, items: Items) -> Any:
    for at, each in enumerate(items, first):
        start = UNDETERMINED if start is UNDETERMINED else function(at, start, each)
    return start


class Lambdas(SortKind):
    """The sorts of `lambda`, which only arguments of these operators have."""

    name = FUNCTION
    is_declared = True  # no text names them
    has_literals = False
    is_first_class = False

    def weight(self, sort: Sort) -> int:
        """Return more than the sorts of arguments and results weigh."""
        return 3 + sum(kind_of(each).weight(each) for each in sort.parts)

    def has(self, _value: Any, _sort: Sort) -> bool:
        """Return False: variables do not have functions as values."""
        return False


def _is_inside(term: Apply) -> Term:
    """Return whether a position is in a sequence."""
    items, at = term.children
    return apply("and", apply("<=", integer(0), at), apply("<", at, apply("seq.len", items)))


def _row(name: str, rule: TypingRule, value: Callable[..., Any], **more: Any) -> Operator:
    return Operator(name, rule, value, is_for_smt=True, **more)


def _of_one_solver(solver: str, name: str, rule: TypingRule, value: Callable[..., Any]) -> Operator:
    """Return an operator that only one solver has; it is not drawn."""
    return _row(name, TypingRule(rule.result, _nowhere), value, readers=frozenset((solver, "smtlib")))


def _over_elements(name: str, rule: TypingRule, value: Callable[..., Any]) -> Operator:
    return _row(name, rule, value, readers=frozenset(("z3", "smtlib")), takes_functions=True)


THEORY = Theory(
    "sequences",
    operators=(
        _row("seq.unit", _SEQUENCES.of_one, lambda _, element: (element,)),
        _row("seq.++", TypingRule(_joined, _several), lambda _, *args: sum(args, ()), least_reduced=1),
        _row("seq.len", _rule("S", "I"), lambda _, items: len(items)),
        _row("seq.nth", _rule("SI", "E"), _nth, defined=_is_inside),
        _row("seq.at", _rule("SI", "S"), lambda _, items, at: items[at : at + 1] if at >= 0 else ()),
        _row("seq.extract", _rule("SII", "S"), _extracted),
        _row("seq.contains", _rule("SS", "B"), lambda _, items, part: find(items, part) >= 0),
        _row("seq.prefixof", _rule("SS", "B"), lambda _, part, items: items[: len(part)] == part),
        _row("seq.suffixof", _rule("SS", "B"), lambda _, part, items: items[max(0, len(items) - len(part)) :] == part),
        _row("seq.indexof", _rule("SSI", "I"), lambda _, items, part, start: find(items, part, start)),
        _row("seq.replace", _rule("SSS", "S"), _replaced),
        _row("seq.replace_all", _rule("SSS", "S"), _replaced_all),
        _of_one_solver("cvc5", "seq.update", _rule("SIS", "S"), _updated),
        _of_one_solver("cvc5", "seq.rev", _rule("S", "S"), lambda _, items: items[::-1]),
        _of_one_solver("z3", "seq.last_indexof", _rule("SS", "I"), _last_position),
        _over_elements("seq.map", _of_elements(False), _mapped),
        _over_elements("seq.mapi", _of_elements(True), _mapped_with_position),
        _over_elements("seq.foldl", _of_fold(False), _folded),
        _over_elements("seq.foldli", _of_fold(True), _folded_with_position),
    ),
    kinds=(_SEQUENCES, Lambdas()),
    qualified={EMPTY: empty},
    leniences=(
        Lenience(ExtensionKind.ALONE, ("seq.++",), ALONE_IN_Z3),
        *(Lenience(ExtensionKind.ALIAS, (old,), f"{_SOURCE}, get_op_names", new) for old, new in _OLD_NAMES.items()),
    ),
    taken_sorts=("Seq",),
    samples=(sequence(INT),),
)
