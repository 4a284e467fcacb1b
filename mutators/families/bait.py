"""Bait for projection and interpolation: the same said with factors, remainders, cells, constructors and slices.

Spacer eliminates variables by model-based projection and learns lemmas from proofs, theory by theory; what these look
at is how something is written. Each row puts an equal term in the place of one, anywhere in a clause, whatever values
SMT-LIB leaves open: divisors are numbers other than zero, and a selector is applied to what its constructor made, or
beside a test for it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.draw import Drawing, Scope, apply_as_read
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.sorts import BOOL, INT, Constructor, Sort, array
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    MAX_DEPTH,
    Apply,
    Quantifier,
    Term,
    Value,
    Variable,
    apply,
    conjunction,
    disjunction,
    fresh_name,
    integer,
    is_operator,
    negation,
    real,
    vector,
)
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.clause_making import asking
from chcfuzz.mutators.rewriting.places import Found, Places, drawing, holds_a_value
from chcfuzz.mutators.rewriting.symbols import taken_names

Wanted = Callable[[Term], bool]
Rewrite = Callable[[Term, Drawing, Choices], Term]

_MOST = 30  # nodes of a term that is written twice
_ORDERS = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}  # and what they are seen from the other side
_STRICT = {"<=": "<", ">=": ">"}
_FACTORS = (2, 3, 5, 7, 16)
_FEW = 3  # nodes of what is drawn beside a term


# What is wanted ------------------------------------------------------------------------------------


def _is_written(term: Term) -> bool:
    """Whether a term of the same value can stand in its place."""
    return not (term.has_atoms or isinstance(term, Quantifier)) and term.size <= _MOST


def _of_sort(fits: Callable[[Sort], bool]) -> Wanted:
    return lambda term: fits(term.sort) and _is_written(term)


def _compares(fits: Callable[[Sort], bool], *operators: str) -> Wanted:
    def wanted(term: Term) -> bool:
        return (
            isinstance(term, Apply)
            and term.operator in operators
            and len(term.children) == 2
            and fits(term.children[0].sort)
            and _is_written(term)
        )

    return wanted


def _is_int(sort: Sort) -> bool:
    return sort is INT


def _is_numeric(sort: Sort) -> bool:
    return sort.is_numeric


def _is_vector(sort: Sort) -> bool:
    return sort.is_bitvector


def _is_array(sort: Sort) -> bool:
    return sort.is_array


def _is_datatype(sort: Sort) -> bool:
    return sort.datatype is not None


def _any_sort(_sort: Sort) -> bool:
    return True


def _operator(term: Term) -> str:
    assert isinstance(term, Apply)
    return term.operator


# Numbers -------------------------------------------------------------------------------------------


def _number(n: int, sort: Sort) -> Value:
    return integer(n) if sort is INT else real(Fraction(n))


def _times(n: int, term: Term) -> Term:
    return apply("*", _number(n, term.sort), term)


def _plus(term: Term, n: int) -> Term:
    return apply("+", term, _number(n, term.sort)) if n else term


def _scale(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Both sides times a number, Ints rounded: a < b is 3 a + 2 < 3 b."""
    left, right = term.children
    operator = _operator(term)
    by = choices.pick((*_FACTORS, -1, -2))
    if operator not in _ORDERS:
        return apply(operator, _times(by, left), _times(by, right))
    if by < 0:
        return apply(_ORDERS[operator], _times(by, left), _times(by, right))
    rest = choices.index(by) if left.sort is INT else 0
    if operator in ("<", ">="):
        return apply(operator, _plus(_times(by, left), rest), _times(by, right))
    return apply(operator, _times(by, left), _plus(_times(by, right), rest))


def _strict(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Among Ints a <= b is a < b + 1, and a < b is a + 1 <= b."""
    left, right = term.children
    operator = _operator(term)
    by = 1 if operator in ("<=", ">") else -1  # on the right side
    other = _STRICT.get(operator) or f"{operator}="
    if choices.boolean():
        return apply(other, left, _plus(right, by))
    return apply(other, _plus(left, -by), right)


def _split_order(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """a <= b is a < b or a = b; an equality is two inequalities, what is distinct is less or greater."""
    left, right = term.children
    operator = _operator(term)
    if operator == "=":
        return conjunction(apply("<=", left, right), apply(">=", left, right))
    if operator == "distinct":
        return disjunction(apply("<", left, right), apply(">", left, right))
    if operator in _STRICT:
        if choices.boolean():
            return disjunction(apply(_STRICT[operator], left, right), apply("=", left, right))
        return negation(apply(_STRICT[_ORDERS[operator]], left, right))
    return conjunction(apply(f"{operator}=", left, right), apply("distinct", left, right))


def _not_distinct(term: Term, _draw: Drawing, _choices: Choices) -> Term:
    other = "distinct" if is_operator(term, "=") else "="
    return negation(apply(other, *term.children))


def _divide(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """t is 3 (t div 3) + t mod 3, and (3 t + 2) div 3."""
    by = choices.pick((*_FACTORS, -2))
    if by > 0 and choices.boolean():
        return apply("div", _plus(_times(by, term), choices.index(by)), integer(by))
    whole, rest = apply("div", term, integer(by)), apply("mod", term, integer(by))
    return apply("+", _times(by, whole), rest)


def _modulo(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """What an equality or an order says of remainders and quotients stands beside it."""
    by = integer(choices.pick(_FACTORS))
    left, right = term.children
    rests = apply("mod", left, by), apply("mod", right, by)
    operator = _operator(term)
    if operator == "=":
        return conjunction(term, apply("=", *rests))
    if operator == "distinct":
        return disjunction(term, apply("distinct", *rests))
    if choices.boolean():
        loose = operator if operator in _STRICT else f"{operator}="
        return conjunction(term, apply(loose, apply("div", left, by), apply("div", right, by)))
    return conjunction(term, apply(">", by, rests[choices.index(2)]))


def _as_reals(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Ints compared as Reals, or half a step apart."""
    left, right = (apply_as_read("to_real", [side]) for side in term.children)
    operator = _operator(term)
    if operator in ("<", ">=") and choices.boolean():
        left = apply("+", left, real(Fraction(1, 2)))
    return apply(operator, left, right)


def _through_reals(term: Term, _draw: Drawing, choices: Choices) -> Term:
    inside = apply_as_read("to_real", [term])
    return apply("to_int", apply("+", inside, real(Fraction(1, 2))) if choices.boolean() else inside)


# Arrays --------------------------------------------------------------------------------------------


def _select_of_store(term: Term, draw: Drawing, choices: Choices) -> Term:
    """The term is what was just written into a cell."""
    sorts = [sort for sort in draw.sorts if sort.is_array and sort.element is term.sort]
    sort = choices.pick(sorts) if sorts else array(INT, term.sort)
    cells, index = draw.term(sort, choices, _FEW), draw.term(sort.index, choices, _FEW)
    return apply("select", apply("store", cells, index, term), index)


def _store_back(term: Term, draw: Drawing, choices: Choices) -> Term:
    """What a cell holds is written into it, after something else or at once."""
    index = draw.term(term.sort.index, choices, _FEW)
    written = term
    if choices.boolean():
        written = apply("store", term, index, draw.term(term.sort.element, choices, _FEW))
    return apply("store", written, index, apply("select", term, index))


def _store_aside(term: Term, draw: Drawing, choices: Choices) -> Term:
    """A cell is read after another one was written, if it is another one."""
    cells, index = term.children
    other = draw.term(index.sort, choices, _FEW)
    written = apply("store", cells, other, draw.term(term.sort, choices, _FEW))
    return Apply("ite", (apply("=", index, other), term, apply("select", written, index)))


def _cells(term: Term, draw: Drawing, choices: Choices) -> Term:
    """Arrays that are equal have equal cells."""
    index = draw.term(term.children[0].sort.index, choices, _FEW)
    return conjunction(term, apply("=", *(apply("select", side, index) for side in term.children)))


# Data types ----------------------------------------------------------------------------------------


Field = tuple[Constructor, int]  # one of a constructor's fields, by its place


def _fields(system: System) -> dict[Sort, list[tuple[Sort, Field]]]:
    """Where a value can be a field, by its sort: in which data type, of which constructor."""
    found: dict[Sort, list[tuple[Sort, Field]]] = {}
    for datatype in (datatype for group in system.datatypes for datatype in group):
        for constructor in datatype.constructors:
            for place, selector in enumerate(constructor.selectors):
                found.setdefault(selector.sort, []).append((datatype.sort, (constructor, place)))
    return found


def _of_fields(system: System) -> Places:
    fields = _fields(system)
    name = f"fields.{' '.join(map(str, fields))}"
    return _everywhere(system, name, lambda term: term.sort in fields and _is_written(term))


def _select_of_constructor(system: System, choices: Choices) -> System | None:
    """A term is a field of what was just made of it."""
    found = _of_fields(system)
    if not found:
        return None
    place = found.pick(choices)
    draw = drawing(system, place.clause, place.path)
    of, (constructor, own) = choices.pick(_fields(system)[place.term.sort])
    args = [draw.term(selector.sort, choices, _FEW) for selector in constructor.selectors]
    args[own] = place.term
    made = Apply(constructor.operator, args, of)
    return place.put(system, Apply(constructor.selectors[own].operator, (made,), place.term.sort))


def _made_again(constructor: Constructor, term: Term) -> Term:
    args = [Apply(selector.operator, (term,), selector.sort) for selector in constructor.selectors]
    return Apply(constructor.operator, args, term.sort)


def _rebuild(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """If a constructor made it, it is that constructor of its fields."""
    assert term.sort.datatype is not None
    constructors = term.sort.datatype.constructors
    constructor = choices.pick(constructors)
    again = _made_again(constructor, term)
    if len(constructors) == 1:
        return again
    return Apply("ite", (Apply(constructor.tester, (term,), BOOL), again, term))


def _is_tester(term: Term) -> bool:
    return isinstance(term, Apply) and term.operator.startswith("(_ is ") and _is_written(term)


def _tested(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """What a constructor made is that constructor of its fields, and no other one made it."""
    (value,) = term.children
    assert value.sort.datatype is not None
    constructors = value.sort.datatype.constructors
    own = next(constructor for constructor in constructors if constructor.tester == _operator(term))
    others = [Apply(constructor.tester, (value,), BOOL) for constructor in constructors if constructor is not own]
    if others and choices.boolean():
        return negation(disjunction(*others))
    return apply("=", value, _made_again(own, value))


# Bit-vectors ---------------------------------------------------------------------------------------


def _is_wide(sort: Sort) -> bool:
    return sort.is_bitvector and sort.width > 1


def _halves(term: Term, choices: Choices) -> tuple[Term, Term]:
    cut = choices.integer(1, term.sort.width - 1)
    high, low = f"(_ extract {term.sort.width - 1} {cut})", f"(_ extract {cut - 1} 0)"
    return Apply(high, (term,)), Apply(low, (term,))


def _sliced(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """A bit-vector is its upper bits beside its lower ones."""
    return apply("concat", *_halves(term, choices))


def _equal_slices(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Bit-vectors are equal where their upper and their lower bits are."""
    left, right = term.children
    cut = choices.integer(1, left.sort.width - 1)
    slices = f"(_ extract {left.sort.width - 1} {cut})", f"(_ extract {cut - 1} 0)"
    parts = [apply(_operator(term), Apply(bits, (left,)), Apply(bits, (right,))) for bits in slices]
    return conjunction(*parts) if is_operator(term, "=") else disjunction(*parts)


_VECTOR_ORDERS = ("bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge")


def _extended(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """An order of bit-vectors is that of wider ones, and the signed one the other with the first bit turned."""
    operator = _operator(term)
    width = term.children[0].sort.width
    if choices.boolean():
        first = vector(1 << (width - 1), width)
        other = operator.replace("bvs", "bvu") if operator.startswith("bvs") else operator.replace("bvu", "bvs")
        return apply(other, *(apply("bvxor", side, first) for side in term.children))
    extend = f"(_ {'sign' if operator.startswith('bvs') else 'zero'}_extend {choices.integer(1, 8)})"
    return apply(operator, *(Apply(extend, (side,)) for side in term.children))


# A variable to be projected away -------------------------------------------------------------------


def _new_variable(system: System, choices: Choices) -> System | None:
    """A body asks for a value near a drawn term, and there always is one."""
    if not system.clauses:
        return None
    number = choices.index(len(system.clauses))
    clause = system.clauses[number]
    formula = inside = clause.formula
    outer: tuple[Variable, ...] = ()
    if isinstance(formula, Quantifier) and formula.kind == "forall":
        outer, inside = formula.variables, formula.body
    if inside.depth >= MAX_DEPTH:
        return None
    draw = Drawing(Scope.of([each.formula for each in system.clauses], number, outer))
    term = draw.term(choices.pick(draw.sorts), choices, _FEW)
    new = Variable(fresh_name("z", taken_names(system)), term.sort)
    near = _near(new, term, draw, choices)
    return system.with_clause(number, asking(clause, near))


def _near(new: Variable, term: Term, draw: Drawing, choices: Choices) -> Term:
    """What some value of the new variable makes true, whatever the term's is."""
    sort = term.sort
    by = choices.pick(_FACTORS)
    if sort is INT:
        options = [
            lambda: conjunction(apply("<=", _times(by, new), term), apply("<", term, _plus(_times(by, new), by))),
            lambda: apply("=", term, apply("+", _times(by, new), apply("mod", term, integer(by)))),
            lambda: disjunction(*(apply("=", term, _plus(_times(2, new), rest)) for rest in (0, 1))),
            lambda: conjunction(apply("<", term, new), apply("<", new, _plus(term, 2))),
            lambda: apply("distinct", new, term),
        ]
    elif sort.is_numeric:
        options = [
            lambda: apply("=", term, _times(by, new)),
            lambda: conjunction(apply("<", term, new), apply("<", new, _plus(term, 1))),
            lambda: apply("<=", _plus(_times(-by, new), 1), term),
        ]
    elif sort.is_bitvector:
        some = draw.term(sort, choices, 0)
        options = [
            lambda: apply("=", apply("bvxor", new, term), some),
            lambda: apply("=", term, apply("bvadd", new, some)),
            lambda: apply("=", Apply("(_ extract 0 0)", (new,)), Apply("(_ extract 0 0)", (term,))),
        ]
    elif sort.is_array:
        index, element = draw.term(sort.index, choices, _FEW), draw.term(sort.element, choices, _FEW)
        options = [
            lambda: apply("=", apply("store", new, index, element), apply("store", term, index, element)),
            lambda: conjunction(
                apply("=", apply("select", new, index), element), apply("=", new, apply("store", term, index, element))
            ),
        ]
    else:
        options = [lambda: apply("=", new, term)]
    return choices.pick(options)()


# Rows ----------------------------------------------------------------------------------------------


def _everywhere(system: System, name: str, wanted: Wanted) -> Places:
    def find(clause: Clause) -> Found:
        return ((None, Occurrences(clause.formula, wanted, _may_be_entered)),)

    return Places(system, f"bait.{name}", find)


def _may_be_entered(term: Term) -> bool:
    return not holds_a_value(term)


def _row(name: str, summary: str, source: str, wanted: Wanted, rewrite: Rewrite) -> Mutation:
    def rewritten(system: System, choices: Choices) -> System | None:
        found = _everywhere(system, name, wanted)
        if not found:
            return None
        place = found.pick(choices)
        draw = drawing(system, place.clause, place.path)
        return place.put(system, rewrite(place.term, draw, choices))

    def applies(system: System) -> bool:
        return bool(_everywhere(system, name, wanted))

    return Mutation(f"bait.{name}", Promise.EQUIVALENT, summary, source, rewritten, applies)


_NUMBERS = "src/qe/mbp/mbp_arith.cpp and spacer_farkas_learner: coefficients, rounding, divisibility"
_ARRAYS = "src/qe/mbp/mbp_arrays.cpp: selects, stores, partial equalities"
_DATATYPES = "src/qe/mbp/mbp_datatypes.cpp: testers, selectors, equations of constructors"
_VECTORS = "src/ast/rewriter/bv_rewriter.cpp and spacer_expand_bnd_generalizer: slices, bounds"
_ALL_ORDERS = ("<", "<=", ">", ">=")
_EQUALITIES = ("=", "distinct")

MUTATIONS = (
    _row(
        "scale",
        "both sides of a comparison times a number, Ints rounded",
        _NUMBERS,
        _compares(_is_numeric, *_ALL_ORDERS, *_EQUALITIES),
        _scale,
    ),
    _row(
        "strict",
        "a strict bound of Ints becomes one that is not, or the reverse",
        _NUMBERS,
        _compares(_is_int, *_ALL_ORDERS),
        _strict,
    ),
    _row(
        "split-order",
        "a comparison becomes a disjunction or a conjunction of others",
        _NUMBERS,
        _compares(_is_numeric, *_ALL_ORDERS, *_EQUALITIES),
        _split_order,
    ),
    _row(
        "not-distinct",
        "an equality says that not all is distinct, or the reverse",
        "src/smt/theory_arith: disequalities are split",
        _compares(_any_sort, *_EQUALITIES),
        _not_distinct,
    ),
    _row("divide", "an Int becomes a quotient, or quotient and remainder", _NUMBERS, _of_sort(_is_int), _divide),
    _row(
        "modulo",
        "what a comparison says of remainders or quotients stands beside it",
        _NUMBERS,
        _compares(_is_int, *_ALL_ORDERS, *_EQUALITIES),
        _modulo,
    ),
    _row("as-reals", "Ints are compared as Reals", _NUMBERS, _compares(_is_int, *_ALL_ORDERS, *_EQUALITIES), _as_reals),
    _row("through-reals", "an Int is that of a Real", _NUMBERS, _of_sort(_is_int), _through_reals),
    _row(
        "select-of-store", "a term is what was just written into a cell", _ARRAYS, _of_sort(_any_sort), _select_of_store
    ),
    _row("store-back", "what a cell holds is written into it", _ARRAYS, _of_sort(_is_array), _store_back),
    _row(
        "store-aside",
        "a cell is read after another one was written",
        _ARRAYS,
        lambda term: is_operator(term, "select") and _is_written(term),
        _store_aside,
    ),
    _row("cells", "arrays that are equal have equal cells", _ARRAYS, _compares(_is_array, "="), _cells),
    Mutation(
        "bait.select-of-constructor",
        Promise.EQUIVALENT,
        "a term is a field of what was just made of it",
        _DATATYPES,
        _select_of_constructor,
        lambda system: bool(_of_fields(system)),
    ),
    _row("rebuild", "a value of a data type is made again of its fields", _DATATYPES, _of_sort(_is_datatype), _rebuild),
    _row("tested", "a tester says what a constructor made, or what none did", _DATATYPES, _is_tester, _tested),
    _row("sliced", "a bit-vector is put together from its slices", _VECTORS, _of_sort(_is_wide), _sliced),
    _row(
        "equal-slices",
        "bit-vectors are compared slice by slice",
        _VECTORS,
        _compares(_is_wide, *_EQUALITIES),
        _equal_slices,
    ),
    _row(
        "extended",
        "bit-vectors are compared as wider ones, or with the first bit turned",
        _VECTORS,
        _compares(_is_vector, *_VECTOR_ORDERS),
        _extended,
    ),
    Mutation(
        "bait.new-variable",
        Promise.EQUIVALENT,
        "a body asks for a value near a drawn term, and there always is one",
        "src/qe/mbp: a variable to be projected away, with a factor, between bounds, in a cell",
        _new_variable,
        lambda system: bool(system.clauses),
    ),
)
