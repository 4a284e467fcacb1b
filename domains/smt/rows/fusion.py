"""Semantic fusion: a new constant z = f(x, y) ties constants x and y together, of one problem or of two.

Some occurrences of x become the inverse of f at y and z. With z = f(x, y) asserted, they keep their values. The second
problem is another seed, whose text is part of the step:

- both at once: the assertions of both; a satisfiable second problem does not change the answer;
- one or the other: the disjunction of both; an unsatisfiable second problem does not change the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading.leniences import applied, as_read, replaced_at
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, bitvec
from chcfuzz.grammar.substitution import fresh_name, with_other_names
from chcfuzz.grammar.terms import (
    Apply,
    Call,
    Function,
    Term,
    Value,
    apply,
    conjunction,
    disjunction,
    integer,
    real,
    subterms,
    vector,
)
from chcfuzz.grammar.theory import divisions, partial_operators, split_operator
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import one_way
from chcfuzz.mutators.rewriting.functions import Make, inserted, new_function, with_calls_replaced, with_functions
from chcfuzz.mutators.rewriting.symbols import own_names, taken_names
from chcfuzz.mutators.rewriting.term_rows import may_be_entered
from chcfuzz.mutators.roots import active
from chcfuzz.mutators.seeds import read_seed

_MOST_REPLACED = 3  # occurrences of a constant
_MOST_PAIRS = 2  # that are fused


@dataclass(frozen=True)
class Fusion:
    """A function of two constants: the sort of its result, and terms for it and for the first argument."""

    result: Sort
    value: Term  # over x and y
    first: Callable[[Term], Term]  # x, from z


def _fusions(x: Term, y: Term, choices: Choices) -> list[Fusion]:
    """Return the functions of two constants whose first argument can be computed from the result and the second."""
    found: list[Fusion] = []
    if x.sort is INT and y.sort is INT:
        by, more = integer(choices.pick((1, 2, -3))), integer(choices.pick((1, -1, 4)))
        rest = apply("*", more, y)
        product = apply("*", by, x)
        found.append(Fusion(INT, apply("+", x, y), lambda z: apply("-", z, y)))
        found.append(Fusion(INT, apply("-", y, x), lambda z: apply("-", y, z)))
        found.append(Fusion(INT, apply("+", product, rest), lambda z: apply("div", apply("-", z, rest), by)))
    if x.sort is REAL and y.sort.is_numeric:
        other = y if y.sort is REAL else applied("to_real", [y])
        by = real(choices.pick((2, -1, 3)))
        found.append(Fusion(REAL, apply("+", x, other), lambda z: apply("-", z, other)))
        found.append(Fusion(REAL, apply("-", apply("*", by, x), other), lambda z: apply("/", apply("+", z, other), by)))
    if x.sort is BOOL and y.sort is BOOL:
        found.append(Fusion(BOOL, apply("xor", x, y), lambda z: apply("xor", z, y)))
        found.append(Fusion(BOOL, apply("=", x, y), lambda z: apply("=", y, z)))
    if x.sort.is_bitvector and y.sort is x.sort:
        factor = 2 * choices.index(min(1 << (x.sort.width - 1), 128)) + 1
        odd = vector(factor, x.sort.width)
        inverse = vector(pow(factor, -1, 1 << x.sort.width), x.sort.width)
        found.append(Fusion(x.sort, apply("bvadd", x, y), lambda z: apply("bvsub", z, y)))
        found.append(Fusion(x.sort, apply("bvxor", x, y), lambda z: apply("bvxor", z, y)))
        found.append(
            Fusion(
                x.sort,
                apply("bvsub", apply("bvmul", x, odd), y),
                lambda z: apply("bvmul", apply("bvadd", z, y), inverse),
            )
        )
    if x.sort.is_bitvector and y.sort.is_bitvector and x.sort.width + y.sort.width <= 128:
        low = y.sort.width
        wide = bitvec(x.sort.width + low)
        slot = f"(_ extract {wide.width - 1} {low})"
        found.append(Fusion(wide, apply("concat", x, y), lambda z: Apply(slot, (z,))))
    return found


Fused = tuple[Problem, Term]  # the changed problem, and the definition of the new constant


def _constants(problem: Problem) -> list[Function]:
    return [function for function in problem.functions if not function.parameters]


def _fused(problem: Problem, firsts: Sequence[Function], seconds: Sequence[Function], choices: Choices) -> Fused | None:
    """Replace occurrences of one of the first constants by a term over z and one of the second constants."""
    pairs = [(x, y) for x in firsts for y in seconds if x is not y and _is_fusible(x, y)]
    if not pairs:
        return None
    x, y = choices.pick(pairs)
    fusion = choices.pick(_fusions(Call(x), Call(y), choices))
    function = new_function(problem, "fused", (), fusion.result)
    z = Call(function)
    inverse = fusion.first(z)
    changed = with_functions(problem, function)
    for _ in range(choices.integer(1, _MOST_REPLACED)):
        changed = _with_one_replaced(changed, Call(x), inverse, choices)
    if changed.assertions == problem.assertions:
        return None
    return changed, apply("=", z, fusion.value)


def _is_fusible(x: Function, y: Function) -> bool:
    return _have_fusions(x.result, y.result)


@lru_cache(maxsize=1024)
def _have_fusions(first: Sort, second: Sort) -> bool:
    x, y = (Call(Function(name, (), sort)) for name, sort in (("x", first), ("y", second)))
    return bool(_fusions(x, y, Choices(b"")))


def _with_one_replaced(problem: Problem, old: Term, new: Term, choices: Choices) -> Problem:
    """Return the problem with one occurrence of a term replaced."""
    found = [Occurrences(formula, lambda term: term is old, may_be_entered) for formula in problem.formulas]
    counts = [each.number for each in found]
    holding = [number for number, count in enumerate(counts) if count]
    if not holding:
        return problem
    number = choices.pick(holding)
    path = found[number].path(choices.index(counts[number]))
    return problem.with_formula(number, as_read(replaced_at(problem.formulas[number], path, new)))


def _self(problem: Problem, choices: Choices) -> Problem | None:
    constants = _constants(problem)
    found = _fused(problem, constants, constants, choices)
    return None if found is None else inserted(*found, choices)


# Two problems --------------------------------------------------------------------------------------


def _other(problem: Problem, choices: Choices) -> Problem | None:
    """Return the problem whose text the choices begin with, or else a built-in one, with unused names.

    None if sorts of the two problems would clash: the same uninterpreted sort would tie the problems together.
    """
    other = read_seed(choices.text()) or read_seed(choices.pick(active().built_in))
    if not isinstance(other, Problem):
        return None
    sorts = {sort.name for sort in other.sorts}
    if other.datatypes != problem.datatypes[: len(other.datatypes)]:
        sorts |= other.datatype_names
    return _apart(other, problem) if sorts.isdisjoint(own_names(problem)) else None


def _apart(other: Problem, problem: Problem) -> Problem:
    """Return the other problem with functions whose names are unused in this one; no bound variable has such a name."""
    names = taken_names(problem) | taken_names(other)
    made: dict[Function, Make] = {}
    functions: list[Function] = []
    for old in other.functions:
        new = Function(fresh_name(old.name, names), old.parameters, old.result)
        names.add(new.name)
        functions.append(new)
        made[old] = _calling(new)
    renamed = with_calls_replaced(other, made, functions)
    unwanted = {function.name for function in (*problem.functions, *functions)}
    taken = taken_names(problem) | taken_names(renamed)
    return renamed.with_assertions(
        [replace(each, formula=with_other_names(each.formula, unwanted, taken)) for each in renamed.assertions]
    )


def _calling(function: Function) -> Make:
    return lambda args: Call(function, args)


def _together(problem: Problem, other: Problem, assertions: Sequence[Assertion]) -> Problem:
    """Return a problem with the declarations of both and these assertions."""
    return replace(
        problem,
        datatypes=tuple(dict.fromkeys((*problem.datatypes, *other.datatypes))),
        sorts=(*problem.sorts, *other.sorts),
        functions=(*problem.functions, *other.functions),
        assertions=tuple(assertions),
    )


def _both(problem: Problem, other: Problem, choices: Choices) -> Problem:
    mine = problem.assertions
    theirs = tuple(Assertion(formula) for formula in other.formulas)
    return _tied(_together(problem, other, (*mine, *theirs) if choices.boolean() else (*theirs, *mine)), other, choices)


def _either(problem: Problem, other: Problem, choices: Choices) -> Problem:
    sides = [conjunction(*problem.formulas), conjunction(*other.formulas)]
    if choices.boolean():
        sides.reverse()
    return _tied(_together(problem, other, [Assertion(disjunction(*sides))]), other, choices)


def _tied(both: Problem, other: Problem, choices: Choices) -> Problem:
    """Fuse constants of the two problems in both directions, as far as their sorts fit."""
    theirs = [function for function in _constants(both) if function in other.functions]
    mine = [function for function in _constants(both) if function not in other.functions]
    for _ in range(choices.integer(1, _MOST_PAIRS)):
        pair = (mine, theirs) if choices.boolean() else (theirs, mine)
        found = _fused(both, *pair, choices)
        if found is not None:
            both = inserted(*found, choices)
    return both


def _leaves_open(problem: Problem) -> bool:
    """Return whether a result may depend on division by zero, or on an operator that SMT-LIB leaves open.

    Two satisfiable problems may need different values of these.
    """
    partial = {*problem.partial_selectors, *partial_operators()}
    return any(
        _divides(term) or split_operator(getattr(term, "operator", ""))[0] in partial
        for term in subterms(*problem.formulas)
    )


def _divides(term: Term) -> bool:
    if not isinstance(term, Apply) or term.operator not in divisions():
        return False
    return not all(isinstance(child, Value) and bool(child.value) for child in term.children[1:])


Join = Callable[[Problem, Problem, Choices], Problem]


def _row(name: str, promise: Promise, summary: str, join: Join, status: str | None) -> Mutation:
    def rewrite(problem: Problem, choices: Choices) -> Problem | None:
        other = _other(problem, choices)
        if other is None or not other.assertions or (status and other.status != status):
            return None
        if status == "sat" and _leaves_open(problem) and _leaves_open(other):
            return None
        return join(problem, other, choices)

    def applies(problem: Problem) -> bool:
        return bool(problem.assertions)

    row = Mutation(
        f"smt_fusion.{name}", promise, summary, _SOURCE, rewrite, applies, takes_system=True, needs=Needs.ASSERTIONS
    )
    return row if promise is Promise.EQUISATISFIABLE else one_way(row)


_SOURCE = "YinYang's semantic fusion (PLDI 2020)"

MUTATIONS = (
    Mutation(
        "smt_fusion.self",
        Promise.EQUISATISFIABLE,
        "a new constant ties two constants together",
        _SOURCE,
        _self,
        lambda problem: len(_constants(problem)) > 1,
        light=True,
        needs=Needs.ASSERTIONS,
    ),
    _row("sat", Promise.EQUISATISFIABLE, "a satisfiable problem is asserted too, tied by constants", _both, "sat"),
    _row("unsat", Promise.EQUISATISFIABLE, "the disjunction with an unsatisfiable problem", _either, "unsat"),
    _row("both", Promise.UNSAT_PRESERVING, "any other problem is asserted too, tied by constants", _both, None),
    _row("either", Promise.SAT_PRESERVING, "the disjunction with any other problem", _either, None),
)
