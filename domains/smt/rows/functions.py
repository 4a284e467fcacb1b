"""Functions and constants: new ones that stand for terms, others in place of old ones, and instances of congruence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from chcfuzz.domains.smt.rows.subterm import by_sort
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.literals import literal
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.sort_kinds import has_literals, is_first_class
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Constructor, Selector, Sort, array, bitvec, datatypes
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.terms import (
    Apply,
    Call,
    Function,
    Quantifier,
    Term,
    Variable,
    apply,
    conjunction,
    free_variables,
    implication,
    negation,
    real,
    subterms,
    vector,
)
from chcfuzz.grammar.terms import integer as whole
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.functions import inserted, new_function, with_calls_replaced, with_functions
from chcfuzz.mutators.rewriting.places import swapped
from chcfuzz.mutators.rewriting.symbols import taken_names
from chcfuzz.mutators.rewriting.term_rows import Pattern, anywhere, put

Rewrite = Callable[[Problem, Choices], Problem | None]

_MOST_ARGUMENTS = 3  # of a new function
_MOST_SIZE = 40  # nodes of a term that is repeated


def _is_closed(term: Term) -> bool:
    return not free_variables(term) and term.size <= _MOST_SIZE and is_first_class(term.sort)


def _any(term: Term) -> bool:
    return is_first_class(term.sort)


def _closed_terms(problem: Problem) -> list[Term]:
    """Return terms of the problem without bound variables."""
    found = (term for formula in problem.formulas for terms in by_sort(formula).values() for term in terms)
    return [term for term in dict.fromkeys(found) if _is_closed(term)]


def _has_ints(problem: Problem) -> bool:
    """Return whether the problem has Ints. Bitwuzla refuses them, so rows do not add the first one."""
    return "LIA" in problem.theories


def _simple_sort(problem: Problem, choices: Choices) -> Sort:
    return choices.pick((BOOL, INT)) if _has_ints(problem) else BOOL


# New functions -------------------------------------------------------------------------------------


def _name(problem: Problem, choices: Choices) -> Problem | None:
    """Replace a term by a new constant, and assert that they are equal."""
    return _named(problem, 0, choices)


def _call(problem: Problem, choices: Choices) -> Problem | None:
    """Replace a term by a new function, applied to terms of the problem, and assert that they are equal."""
    return _named(problem, choices.integer(1, _MOST_ARGUMENTS), choices)


def _named(problem: Problem, length: int, choices: Choices) -> Problem | None:
    found = anywhere(problem, "smt_functions.closed", _is_closed)
    if not found:
        return None
    place = found.pick(choices)
    terms = _closed_terms(problem) or [place.term]
    args = [choices.pick(terms) for _ in range(length)]
    function = new_function(problem, "named", [arg.sort for arg in args], place.term.sort)
    call = Call(function, args)
    replaced = put(problem, place, call)
    if replaced is None:
        return None
    equal = apply("=", *((call, place.term) if choices.boolean() else (place.term, call)))
    return inserted(with_functions(replaced, function), equal, choices)


def _identity(problem: Problem, choices: Choices) -> Problem | None:
    """Wrap a term in a new function that a quantified assertion makes the identity."""
    found = anywhere(problem, "smt_functions.any", _any)
    if not found:
        return None
    place = found.pick(choices)
    sort = place.term.sort
    function = new_function(problem, "same", (sort,), sort)
    replaced = put(problem, place, Call(function, (place.term,)))
    if replaced is None:
        return None
    variable = Variable(fresh_name("x", {*taken_names(problem), function.name}), sort)
    axiom = Quantifier("forall", (variable,), apply("=", Call(function, (variable,)), variable))
    return inserted(with_functions(replaced, function), axiom, choices)


def _cell(problem: Problem, choices: Choices) -> Problem | None:
    """Read a term from the cell of a new array that it has just been written to."""
    found = anywhere(problem, "smt_functions.any", _any)
    if not found:
        return None
    place = found.pick(choices)
    closed = _closed_terms(problem)
    index = choices.pick(closed) if closed and choices.boolean() else literal(_simple_sort(problem, choices), choices)
    if index.sort.is_array:
        return None
    cells = new_function(problem, "cells", (), array(index.sort, place.term.sort))
    written = apply("store", Call(cells), index, place.term)
    return put(with_functions(problem, cells), place, apply("select", written, index))


def _record(problem: Problem, choices: Choices) -> Problem | None:
    """Read a term from the field of a value of a new data type."""
    found = anywhere(problem, "smt_functions.any", _any)
    if not found:
        return None
    place = found.pick(choices)
    taken = taken_names(problem)
    sort = place.term.sort
    made, empty, field, name = (fresh_name(word, taken) for word in ("hold", "nothing", "held", "Held"))
    constructor = Constructor(made, (Selector(field, sort),))
    others = (Constructor(empty),) if choices.boolean() else ()
    (datatype,) = datatypes((name,), lambda _: ((*others, constructor),))
    value = Apply(constructor.operator, (place.term,), datatype.sort)
    wrapped = replace(problem, datatypes=(*problem.datatypes, (datatype,)))
    return put(wrapped, place, Apply(constructor.selectors[0].operator, (value,), sort))


# Other functions -----------------------------------------------------------------------------------


def _substitutes(problem: Problem, sort: Sort, choices: Choices) -> tuple[tuple[Function, ...], Term]:
    """Return new constants, and a term over them that has every value of the sort."""
    if sort is BOOL:
        other = choices.pick((BOOL, bitvec(1), *((INT, array(INT, BOOL)) if _has_ints(problem) else ())))
        new = new_function(problem, "sub", (), other)
        p = Call(new)
        if other is INT:
            return (new,), choices.pick((apply(">", p, whole(0)), apply("=", apply("mod", p, whole(2)), whole(0))))
        if other.is_bitvector:
            return (new,), apply("=", p, vector(1, 1))
        return (new,), negation(p) if other is BOOL else apply("select", p, whole(choices.pick((0, -1, 7))))
    if choices.index(3) == 0 and has_literals(sort):
        cells = new_function(problem, "sub", (), array(BOOL, sort))
        return (cells,), apply("select", Call(cells), literal(BOOL, choices))
    if sort is INT:
        number = new_function(problem, "sub", (), choices.pick((INT, REAL)))
        x = Call(number)
        return (number,), apply("to_int", x) if number.result is REAL else apply(
            "+", x, whole(choices.pick((1, -3, 100)))
        )
    if sort is REAL:
        new = new_function(problem, "sub", (), REAL)
        return (new,), apply("*", _nonzero(choices), Call(new))
    if sort.is_bitvector:
        return _bits(problem, sort, choices)
    new, other_one = _two(problem, sort)
    return (new, other_one, _condition(problem)), Apply("ite", (Call(_condition(problem)), Call(new), Call(other_one)))


def _nonzero(choices: Choices) -> Term:
    """Draw a Real other than zero."""
    return real(choices.pick((Fraction(2), Fraction(-1, 3), Fraction(1, 2))))


def _two(problem: Problem, sort: Sort) -> tuple[Function, Function]:
    first = new_function(problem, "sub", (), sort)
    return first, new_function(with_functions(problem, first), "sub", (), sort)


def _condition(problem: Problem) -> Function:
    return new_function(problem, "which", (), BOOL)


def _bits(problem: Problem, sort: Sort, choices: Choices) -> tuple[tuple[Function, ...], Term]:
    """Return constants whose bits make every value of a sort of bit-vectors."""
    width = sort.width
    if width > 1 and choices.boolean():
        cut = choices.integer(1, width - 1)
        high = new_function(problem, "sub", (), bitvec(cut))
        low = new_function(with_functions(problem, high), "sub", (), bitvec(width - cut))
        return (high, low), apply("concat", Call(high), Call(low))
    more = choices.pick((0, 1, 3))
    new = new_function(problem, "sub", (), bitvec(width + more))
    bits = Apply(f"(_ extract {width + more - 1} {more})", (Call(new),)) if more else Call(new)
    return (new,), apply(choices.pick(("bvnot", "bvneg")), bits)


def _substitute(problem: Problem, choices: Choices) -> Problem | None:
    """Replace a constant by a term over new constants that has every value of its sort."""
    constants = _constants(problem)
    if not constants:
        return None
    gone = choices.pick(constants)
    new, term = _substitutes(problem, gone.result, choices)
    functions = [f for old in problem.functions for f in (new if old is gone else (old,))]
    return with_calls_replaced(problem, {gone: lambda _: term}, functions)


def _argument(problem: Problem, choices: Choices) -> Problem | None:
    """Give a function or constant one more parameter, and all its calls the same value there."""
    if not problem.functions:
        return None
    old = choices.pick(problem.functions)
    terms = [term for term in _closed_terms(problem) if not _mentions(term, old)]
    extra = choices.pick(terms) if terms and choices.index(4) else literal(_simple_sort(problem, choices), choices)
    at = choices.index(len(old.parameters) + 1)
    new = Function(old.name, (*old.parameters[:at], extra.sort, *old.parameters[at:]), old.result)

    def called(args: Sequence[Term]) -> Term:
        return Call(new, (*args[:at], extra, *args[at:]))

    return with_calls_replaced(problem, {old: called}, [new if each is old else each for each in problem.functions])


def _mentions(term: Term, function: Function) -> bool:
    return any(isinstance(part, Call) and part.function is function for part in subterms(term))


def _has_many(problem: Problem) -> list[Function]:
    return [function for function in problem.functions if len(function.parameters) > 1]


def _permute(problem: Problem, choices: Choices) -> Problem | None:
    """Exchange two parameters of a function."""
    found = _has_many(problem)
    if not found:
        return None
    old = choices.pick(found)
    order = swapped(range(len(old.parameters)), choices)
    new = Function(old.name, [old.parameters[at] for at in order], old.result)

    def called(args: Sequence[Term]) -> Term:
        return Call(new, [args[at] for at in order])

    return with_calls_replaced(problem, {old: called}, [new if each is old else each for each in problem.functions])


def _unary(problem: Problem) -> list[Function]:
    return [function for function in problem.functions if len(function.parameters) == 1]


def _as_array(problem: Problem, choices: Choices) -> Problem | None:
    """Replace a function of one argument by an array constant, and its calls by reads."""
    found = _unary(problem)
    if not found:
        return None
    old = choices.pick(found)
    new = Function(old.name, (), array(old.parameters[0], old.result))

    def read(args: Sequence[Term]) -> Term:
        return apply("select", Call(new), args[0])

    return with_calls_replaced(problem, {old: read}, [new if each is old else each for each in problem.functions])


# Implied assertions --------------------------------------------------------------------------------


def _pairs(problem: Problem) -> dict[Function, list[Call]]:
    """Return the closed calls of functions that have two or more different ones."""
    calls: dict[Function, dict[Call, None]] = {}
    for term in _closed_terms(problem):
        if isinstance(term, Call) and term.children:
            calls.setdefault(term.function, {})[term] = None
    return {function: list(each) for function, each in calls.items() if len(each) > 1}


def _congruence(problem: Problem, choices: Choices) -> Problem | None:
    """Assert that two calls of a function are equal if their arguments are."""
    found = list(_pairs(problem).values())
    if not found:
        return None
    calls = choices.pick(found)
    first = choices.index(len(calls))
    second = (first + 1 + choices.index(len(calls) - 1)) % len(calls)
    one, other = calls[first], calls[second]
    equal = [apply("=", *pair) for pair in zip(one.children, other.children, strict=True)]
    return inserted(problem, implication(conjunction(*equal), apply("=", one, other)), choices)


_SOURCE = "purification, Ackermann's reduction, and solving of equations in Z3 and cvc5"


def _row(name: str, summary: str, rewrite: Rewrite, applies: Callable[[Problem], object], promise: Promise) -> Mutation:
    def may_apply(problem: Problem) -> bool:
        return bool(applies(problem))

    return Mutation(
        f"smt_functions.{name}", promise, summary, _SOURCE, rewrite, may_apply, light=True, needs=Needs.ASSERTIONS
    )


def _places(name: str, matches: Pattern) -> Callable[[Problem], object]:
    return lambda problem: anywhere(problem, f"smt_functions.{name}", matches)


def _constants(problem: Problem) -> list[Function]:
    return [function for function in problem.functions if not function.parameters]


_SAME_ANSWER = Promise.EQUISATISFIABLE
MUTATIONS = (
    _row("name", "a term becomes a new constant that equals it", _name, _places("closed", _is_closed), _SAME_ANSWER),
    _row("call", "a term becomes a call of a new function", _call, _places("closed", _is_closed), _SAME_ANSWER),
    _row("identity", "a term is wrapped in a new identity function", _identity, _places("any", _any), _SAME_ANSWER),
    _row("cell", "a term is read from a cell of a new array", _cell, _places("any", _any), _SAME_ANSWER),
    _row("record", "a term is read from a field of a new data type", _record, _places("any", _any), _SAME_ANSWER),
    _row("substitute", "a constant becomes a term over new constants", _substitute, _constants, _SAME_ANSWER),
    _row("argument", "a function gets one more argument", _argument, lambda p: p.functions, _SAME_ANSWER),
    _row("permute", "two parameters of a function are exchanged", _permute, _has_many, _SAME_ANSWER),
    _row("as-array", "a function of one argument becomes an array", _as_array, _unary, _SAME_ANSWER),
    _row("congruence", "two calls are equal if their arguments are", _congruence, _pairs, Promise.EQUIVALENT),
)
