"""Equal terms for projection and interpolation: factors, remainders, array cells, constructors and slices.

Spacer eliminates variables by model-based projection and learns lemmas from proofs, theory by theory; both depend on
how a formula is written. Each row replaces one term, anywhere in a clause, by an equal term. The two are equal under
every interpretation of the operations that SMT-LIB leaves partly open: divisors are nonzero numbers, and a selector is
applied to a term that its constructor made, or together with a test for that constructor.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.draw import Drawing, apply_as_read
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.problem import Assertion, BaseProblem
from chcfuzz.grammar.scope import Scope
from chcfuzz.grammar.sorts import BOOL, INT, Constructor, Sort, array
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.system import System
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
    integer,
    is_operator,
    negation,
    real,
    vector,
)
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.clause_making import with_body_member
from chcfuzz.mutators.rewriting.places import Found, P, Places, drawing, holds_a_value
from chcfuzz.mutators.rewriting.symbols import taken_names

Pattern = Callable[[Term], bool]
Rewrite = Callable[[Term, Drawing, Choices], Term]

_MOST = 30  # nodes of a term that may be duplicated
_ORDERS = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}  # each comparison with its sides exchanged
_STRICT = {"<=": "<", ">=": ">"}
_FACTORS = (2, 3, 5, 7, 16)
_FEW = 3  # fuel for each term that is drawn in addition


# Which terms match ---------------------------------------------------------------------------------


def _is_small(term: Term) -> bool:
    """Return whether a term is small enough to duplicate, and free of predicates and quantifiers."""
    return not (term.has_atoms or isinstance(term, Quantifier)) and term.size <= _MOST


def _of_sort(fits: Callable[[Sort], bool]) -> Pattern:
    return lambda term: fits(term.sort) and _is_small(term)


def _compares(fits: Callable[[Sort], bool], *operators: str) -> Pattern:
    def matches(term: Term) -> bool:
        return (
            isinstance(term, Apply)
            and term.operator in operators
            and len(term.children) == 2
            and fits(term.children[0].sort)
            and _is_small(term)
        )

    return matches


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
    """Multiply both sides by a number, with Ints rounded: a < b becomes 3 a + 2 < 3 b."""
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
    """Exchange strict and non-strict comparisons of Ints: a <= b becomes a < b + 1, and a < b becomes a + 1 <= b."""
    left, right = term.children
    operator = _operator(term)
    by = 1 if operator in ("<=", ">") else -1  # on the right side
    other = _STRICT.get(operator) or f"{operator}="
    if choices.boolean():
        return apply(other, left, _plus(right, by))
    return apply(other, _plus(left, -by), right)


def _split_order(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Replace a comparison by several: a <= b by (a < b or a = b), a = b by (a <= b and a >= b), and so on."""
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
    """Replace an Int t by 3 (t div 3) + t mod 3, or by (3 t + 2) div 3."""
    by = choices.pick((*_FACTORS, -2))
    if by > 0 and choices.boolean():
        return apply("div", _plus(_times(by, term), choices.index(by)), integer(by))
    whole, rest = apply("div", term, integer(by)), apply("mod", term, integer(by))
    return apply("+", _times(by, whole), rest)


def _modulo(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Add the comparison of the remainders or quotients that a comparison implies."""
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
    """Compare Ints as Reals, or with one half added to the left side where that changes nothing."""
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
    """Replace a term by a read of the array cell into which it has just been written."""
    sorts = [sort for sort in draw.sorts if sort.is_array and sort.element is term.sort]
    sort = choices.pick(sorts) if sorts else array(INT, term.sort)
    cells, index = draw.term(sort, choices, _FEW), draw.term(sort.index, choices, _FEW)
    return apply("select", apply("store", cells, index, term), index)


def _store_back(term: Term, draw: Drawing, choices: Choices) -> Term:
    """Replace an array by itself with a cell written back, at once or after another write to that cell."""
    index = draw.term(term.sort.index, choices, _FEW)
    written = term
    if choices.boolean():
        written = apply("store", term, index, draw.term(term.sort.element, choices, _FEW))
    return apply("store", written, index, apply("select", term, index))


def _store_aside(term: Term, draw: Drawing, choices: Choices) -> Term:
    """Read a cell after a write to another cell, unless the two indices are equal."""
    cells, index = term.children
    other = draw.term(index.sort, choices, _FEW)
    written = apply("store", cells, other, draw.term(term.sort, choices, _FEW))
    return Apply("ite", (apply("=", index, other), term, apply("select", written, index)))


def _cells(term: Term, draw: Drawing, choices: Choices) -> Term:
    """Add to an equality of arrays that their cells at a drawn index are equal."""
    index = draw.term(term.children[0].sort.index, choices, _FEW)
    return conjunction(term, apply("=", *(apply("select", side, index) for side in term.children)))


# Data types ----------------------------------------------------------------------------------------


Field = tuple[Constructor, int]  # a constructor and the position of one of its fields


def _fields(problem: BaseProblem) -> dict[Sort, list[tuple[Sort, Field]]]:
    """Return by sort where a value of it can be a field: the sort of the data type, and the constructor's field."""
    found: dict[Sort, list[tuple[Sort, Field]]] = {}
    for datatype in (datatype for group in problem.datatypes for datatype in group):
        for constructor in datatype.constructors:
            for place, selector in enumerate(constructor.selectors):
                found.setdefault(selector.sort, []).append((datatype.sort, (constructor, place)))
    return found


def _of_fields(problem: BaseProblem) -> Places:
    fields = _fields(problem)
    name = f"fields.{' '.join(map(str, fields))}"
    return _everywhere(problem, name, lambda term: term.sort in fields and _is_small(term))


def _select_of_constructor(problem: P, choices: Choices) -> P | None:
    """Replace a term by a field of a value that has just been constructed from it."""
    found = _of_fields(problem)
    if not found:
        return None
    place = found.pick(choices)
    draw = drawing(problem, place.clause, place.path)
    of, (constructor, own) = choices.pick(_fields(problem)[place.term.sort])
    args = [draw.term(selector.sort, choices, _FEW) for selector in constructor.selectors]
    args[own] = place.term
    made = Apply(constructor.operator, args, of)
    return place.put(problem, Apply(constructor.selectors[own].operator, (made,), place.term.sort))


def _reconstructed(constructor: Constructor, term: Term) -> Term:
    args = [Apply(selector.operator, (term,), selector.sort) for selector in constructor.selectors]
    return Apply(constructor.operator, args, term.sort)


def _rebuild(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Rebuild a value from its fields: (ite (is-C t) (C (field t) ...) t), without ite if C is the only constructor."""
    assert term.sort.datatype is not None
    constructors = term.sort.datatype.constructors
    constructor = choices.pick(constructors)
    rebuilt = _reconstructed(constructor, term)
    if len(constructors) == 1:
        return rebuilt
    return Apply("ite", (Apply(constructor.tester, (term,), BOOL), rebuilt, term))


def _is_tester(term: Term) -> bool:
    return isinstance(term, Apply) and term.operator.startswith("(_ is ") and _is_small(term)


def _tested(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Replace a tester by an equality with the rebuilt value, or by the negated testers of the other constructors."""
    (value,) = term.children
    assert value.sort.datatype is not None
    constructors = value.sort.datatype.constructors
    own = next(constructor for constructor in constructors if constructor.tester == _operator(term))
    others = [Apply(constructor.tester, (value,), BOOL) for constructor in constructors if constructor is not own]
    if others and choices.boolean():
        return negation(disjunction(*others))
    return apply("=", value, _reconstructed(own, value))


# Bit-vectors ---------------------------------------------------------------------------------------


def _is_wide(sort: Sort) -> bool:
    return sort.is_bitvector and sort.width > 1


def _halves(term: Term, choices: Choices) -> tuple[Term, Term]:
    cut = choices.integer(1, term.sort.width - 1)
    high, low = f"(_ extract {term.sort.width - 1} {cut})", f"(_ extract {cut - 1} 0)"
    return Apply(high, (term,)), Apply(low, (term,))


def _sliced(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Replace a bit-vector by the concatenation of its upper and lower bits."""
    return apply("concat", *_halves(term, choices))


def _equal_slices(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Compare bit-vectors by comparing their upper bits and their lower bits."""
    left, right = term.children
    cut = choices.integer(1, left.sort.width - 1)
    slices = f"(_ extract {left.sort.width - 1} {cut})", f"(_ extract {cut - 1} 0)"
    parts = [apply(_operator(term), Apply(bits, (left,)), Apply(bits, (right,))) for bits in slices]
    return conjunction(*parts) if is_operator(term, "=") else disjunction(*parts)


_VECTOR_ORDERS = ("bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge")


def _extended(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Compare bit-vectors after extending them, or flip the first bit and exchange signed and unsigned comparison."""
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
    """Add to a body that a new variable has a value near a drawn term; such a value always exists."""
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
    return system.with_formula(number, with_body_member(clause, near))


def _near(new: Variable, term: Term, draw: Drawing, choices: Choices) -> Term:
    """Return a formula that holds for some value of the new variable, whatever the value of the term."""
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


def _everywhere(problem: BaseProblem, name: str, matches: Pattern) -> Places:
    def find(asserted: Assertion) -> Found:
        return ((None, Occurrences(asserted.formula, matches, _may_be_entered)),)

    return Places(problem, f"bait.{name}", find)


def _may_be_entered(term: Term) -> bool:
    return not holds_a_value(term)


def _row(name: str, summary: str, source: str, matches: Pattern, rewrite: Rewrite) -> Mutation:
    def rewritten(problem: P, choices: Choices) -> P | None:
        found = _everywhere(problem, name, matches)
        if not found:
            return None
        place = found.pick(choices)
        draw = drawing(problem, place.clause, place.path)
        return place.put(problem, rewrite(place.term, draw, choices))

    def applies(problem: BaseProblem) -> bool:
        return bool(_everywhere(problem, name, matches))

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
        "both sides of a comparison are multiplied by a number, Ints rounded",
        _NUMBERS,
        _compares(_is_numeric, *_ALL_ORDERS, *_EQUALITIES),
        _scale,
    ),
    _row(
        "strict",
        "a strict bound of Ints becomes a non-strict one, or the reverse",
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
        "an equality becomes a negated distinct, or the reverse",
        "src/smt/theory_arith: disequalities are split",
        _compares(_any_sort, *_EQUALITIES),
        _not_distinct,
    ),
    _row("divide", "an Int becomes a quotient, or quotient and remainder", _NUMBERS, _of_sort(_is_int), _divide),
    _row(
        "modulo",
        "a comparison is joined with the one of the remainders or quotients that it implies",
        _NUMBERS,
        _compares(_is_int, *_ALL_ORDERS, *_EQUALITIES),
        _modulo,
    ),
    _row("as-reals", "Ints are compared as Reals", _NUMBERS, _compares(_is_int, *_ALL_ORDERS, *_EQUALITIES), _as_reals),
    _row("through-reals", "an Int is converted to Real and back", _NUMBERS, _of_sort(_is_int), _through_reals),
    _row(
        "select-of-store",
        "a term is read from the array cell it was just written to",
        _ARRAYS,
        _of_sort(_any_sort),
        _select_of_store,
    ),
    _row("store-back", "the value of an array cell is written back to it", _ARRAYS, _of_sort(_is_array), _store_back),
    _row(
        "store-aside",
        "an array cell is read after a write to another cell",
        _ARRAYS,
        lambda term: is_operator(term, "select") and _is_small(term),
        _store_aside,
    ),
    _row("cells", "an equality of arrays is joined with one of two cells", _ARRAYS, _compares(_is_array, "="), _cells),
    Mutation(
        "bait.select-of-constructor",
        Promise.EQUIVALENT,
        "a term is read from a field of a value constructed from it",
        _DATATYPES,
        _select_of_constructor,
        lambda system: bool(_of_fields(system)),
    ),
    _row("rebuild", "a value of a data type is rebuilt from its fields", _DATATYPES, _of_sort(_is_datatype), _rebuild),
    _row(
        "tested",
        "a tester becomes an equality, or negated testers of the other constructors",
        _DATATYPES,
        _is_tester,
        _tested,
    ),
    _row("sliced", "a bit-vector is concatenated from its slices", _VECTORS, _of_sort(_is_wide), _sliced),
    _row(
        "equal-slices",
        "bit-vectors are compared slice by slice",
        _VECTORS,
        _compares(_is_wide, *_EQUALITIES),
        _equal_slices,
    ),
    _row(
        "extended",
        "bit-vectors are compared after extension, or with the first bit flipped",
        _VECTORS,
        _compares(_is_vector, *_VECTOR_ORDERS),
        _extended,
    ),
    Mutation(
        "bait.new-variable",
        Promise.EQUIVALENT,
        "a body requires a value near a drawn term; such a value always exists",
        "src/qe/mbp: a variable to project away, with a factor, between bounds, in an array cell",
        _new_variable,
        lambda system: bool(system.clauses),
    ),
)
