"""Other signatures: arguments of predicates reordered, replaced, added or dropped.

Slicing, inlining and the generalization of lemmas depend on this. In each row p is the predicate before, and q the one
after. The new system S' has a model if S has one, because q can be interpreted as listed; the reverse holds because p
can then be interpreted as listed:

- another encoding, q(f(x)) for p(x), with f one-to-one: q(y) is p(g(y)) with g(f(x)) = x, and p(x) is q(f(x));
- a free argument, q(x, y) for p(x), any y in heads: q(x, y) is p(x), and p(x) is (forall y) q(x, y);
- a constant argument, q(x, c), any y in bodies: q(x, y) is p(x), and p(x) is q(x, c);
- a duplicated argument, q(x, x): q(x, y) is p(x) and y = x, and p(x) is q(x, x);
- a constant of every head dropped, p(x, c): q(x) is p(x, c), and p(x, y) is q(x) and y = c, which bodies now require;
- an argument dropped that no body uses: q(x) is (exists y) p(x, y), and p(x, y) is q(x).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.draw import apply_as_read
from chcfuzz.grammar.literals import literal
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    Atom,
    Predicate,
    Quantifier,
    Term,
    Value,
    Variable,
    apply,
    conjunction,
    free_variables,
    integer,
    kept,
    real,
    subterms,
    vector,
)
from chcfuzz.grammar.witness import Fact, Meaning
from chcfuzz.mutators.rewriting.model_converter import itself
from chcfuzz.mutators.rewriting.places import swapped
from chcfuzz.mutators.rewriting.predicate_transformation import (
    Argument,
    Encoding,
    Names,
    PredicateTransformation,
    Terms,
    arguments,
    each_fact,
    occurring,
    replaced,
    terms_of,
    transformation_row,
    values_of,
    with_encoding,
)

# Another encoding ----------------------------------------------------------------------------------


def _at(number: int, change: Callable[[Term, Terms], Term]) -> Callable[[Terms], Terms]:
    """Return a function on argument lists that changes one argument, which may depend on the others."""
    return lambda terms: (*terms[:number], change(terms[number], terms), *terms[number + 1 :])


def _permute(system: System, choices: Choices) -> PredicateTransformation | None:
    found = [predicate for predicate in occurring(system) if len(predicate.parameters) > 1]
    if not found:
        return None
    old = choices.pick(found)
    places = range(len(old.parameters))
    order = choices.permutation(len(places)) if choices.boolean() else tuple(swapped(places, choices))
    inverse = [order.index(at) for at in places]
    encoding = Encoding(lambda terms: [terms[at] for at in order], lambda terms: [terms[at] for at in inverse])
    return with_encoding(system, old, encoding)


_PLUS_MINUS = {"Int": ("+", "-"), "Real": ("+", "-"), "BitVec": ("bvadd", "bvsub"), "Bool": ("xor", "xor")}


def _moves(sort: Sort) -> bool:
    return sort.name in _PLUS_MINUS


def _shift(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace x by x + c."""
    found = arguments(system, lambda sort: _moves(sort) and sort is not BOOL)
    if not found:
        return None
    old, number = choices.pick(found)
    by = _number(choices.pick((1, 2, 7, 100)), old.parameters[number])
    there, back = _PLUS_MINUS[by.sort.name][:: -1 if choices.boolean() else 1]
    encoding = Encoding(_at(number, lambda x, _: apply(there, x, by)), _at(number, lambda x, _: apply(back, x, by)))
    return with_encoding(system, old, encoding)


def _number(n: int, sort: Sort) -> Value:
    return integer(n) if sort is INT else real(n) if sort is REAL else vector(n, sort.width)


_NEGATIONS = {"Int": ("-",), "Real": ("-",), "BitVec": ("bvneg", "bvnot"), "Bool": ("not",)}  # each its own inverse


def _negate(system: System, choices: Choices) -> PredicateTransformation | None:
    found = arguments(system, _moves)
    if not found:
        return None
    old, number = choices.pick(found)
    operator = choices.pick(_NEGATIONS[old.parameters[number].name])
    change = _at(number, lambda x, _: apply_as_read(operator, [x]))
    return with_encoding(system, old, Encoding(change, change))


def _pairs(system: System) -> list[tuple[Predicate, int, int]]:
    found = arguments(system, _moves)
    return [(p, a, b) for p, a in found for b, sort in enumerate(p.parameters) if b != a and sort is p.parameters[a]]


def _sum(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace x, y by x + y, y."""
    found = _pairs(system)
    if not found:
        return None
    old, number, other = choices.pick(found)
    there, back = _PLUS_MINUS[old.parameters[number].name][:: -1 if choices.boolean() else 1]
    encoding = Encoding(
        _at(number, lambda x, terms: apply(there, x, terms[other])),
        _at(number, lambda x, terms: apply(back, x, terms[other])),
    )
    return with_encoding(system, old, encoding)


def _scales(sort: Sort) -> bool:
    return _moves(sort) and sort is not BOOL


def _scale(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace x by c * x; for a bit-vector c is odd, and for an Int only multiples of c become values."""
    found = arguments(system, _scales)
    if not found:
        return None
    old, number = choices.pick(found)
    sort = old.parameters[number]
    by, back = choices.pick(_FACTORS[sort.name])(sort)
    product = "bvmul" if sort.is_bitvector else "*"
    encoding = Encoding(_at(number, lambda x, _: apply(product, by, x)), _at(number, lambda x, _: back(x)))
    return with_encoding(system, old, encoding)


Factor = Callable[[Sort], tuple[Value, Callable[[Term], Term]]]


def _integer_factor(n: int) -> Factor:
    return lambda _: (integer(n), lambda x: apply("div", x, integer(n)))


def _real_factor(n: Fraction | int) -> Factor:
    return lambda _: (real(n), lambda x: apply("*", real(1 / Fraction(n)), x))


def _vector_factor(n: int) -> Factor:
    def factor(sort: Sort) -> tuple[Value, Callable[[Term], Term]]:
        inverse = vector(pow(n, -1, 1 << sort.width), sort.width)
        return vector(n, sort.width), lambda x: apply("bvmul", inverse, x)

    return factor


_FACTORS: Mapping[str, tuple[Factor, ...]] = {
    "Int": (_integer_factor(2), _integer_factor(3), _integer_factor(10)),
    "Real": (_real_factor(2), _real_factor(Fraction(1, 2)), _real_factor(10)),
    "BitVec": (_vector_factor(3), _vector_factor(5), _vector_factor(7)),
}


# More arguments ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _NewArgument:
    """An additional argument: its term in a head, its term in a body, its conditions in a model, its value in a fact.

    `conditions` takes the argument and the others. A `value` of None repeats the argument after the new one.
    """

    sort: Sort
    head: Callable[[Atom], Term]
    body: Callable[[Atom, Clause], Term]
    value: Term | None
    conditions: Callable[[Term, Terms], Sequence[Term]] = lambda _new, _others: ()


def _with_one_more(system: System, place: Argument, argument: _NewArgument) -> PredicateTransformation:
    """Add an argument before the one at `place`."""
    predicate, at = place
    new = Predicate(predicate.name, (*predicate.parameters[:at], argument.sort, *predicate.parameters[at:]))

    def with_it(terms: Terms, term: Term) -> Terms:
        return (*terms[:at], term, *terms[at:])

    parameters = itself(new).parameters
    rest = (*parameters[:at], *parameters[at + 1 :])
    meaning = Meaning(parameters, conjunction(Atom(predicate, rest), *argument.conditions(parameters[at], rest)))

    def becomes(fact: Fact) -> list[Fact]:
        if fact.predicate is not predicate:
            return [fact]
        terms = terms_of(fact)
        return [Fact(new, values_of(with_it(terms, terms[at] if argument.value is None else argument.value)))]

    after = replaced(
        system,
        predicate,
        [new],
        lambda atom, clause: Atom(new, with_it(atom.children, argument.body(atom, clause))),
        [lambda atom: Atom(new, with_it(atom.children, argument.head(atom)))],
    )
    return PredicateTransformation(after, {new: meaning}, each_fact(becomes))


def _place_and_sort(system: System, choices: Choices) -> tuple[Argument, Sort] | None:
    """Return a position for a new argument, and a sort for it: one that the system uses, or a frequent one."""
    found = occurring(system)
    if not found:
        return None
    predicate = choices.pick(found)
    at = choices.index(len(predicate.parameters) + 1)
    sorts = dict.fromkeys([*(sort for p in system.predicates for sort in p.parameters), INT, BOOL])
    return (predicate, at), choices.pick(tuple(sorts))


def _add_free(system: System, choices: Choices) -> PredicateTransformation | None:
    """Add an argument that is arbitrary in heads; in bodies it is arbitrary too, the head's variable, or a constant."""
    drawn = _place_and_sort(system, choices)
    if drawn is None:
        return None
    place, sort = drawn
    names = Names(system)
    of_head, of_body, constant = names.variable(sort), names.variable(sort), literal(sort, Choices(b""))
    candidates = (of_head, of_body, constant)
    argument = _NewArgument(sort, lambda _: of_head, lambda *_: choices.pick(candidates), constant)
    return _with_one_more(system, place, argument)


def _add_constant(system: System, choices: Choices) -> PredicateTransformation | None:
    """Add an argument that is a constant in heads; in bodies it is that constant, or arbitrary."""
    drawn = _place_and_sort(system, choices)
    if drawn is None:
        return None
    place, sort = drawn
    constant = literal(sort, choices, 0)
    candidates = (constant, Names(system).variable(sort))
    argument = _NewArgument(sort, lambda _: constant, lambda *_: choices.pick(candidates), constant)
    return _with_one_more(system, place, argument)


def _duplicate(system: System, choices: Choices) -> PredicateTransformation | None:
    """Add an argument that repeats another one; in bodies it may be arbitrary."""
    found = arguments(system, lambda _: True)
    if not found:
        return None
    predicate, at = choices.pick(found)
    sort = predicate.parameters[at]
    names = Names(system)

    def in_body(atom: Atom, clause: Clause) -> Term:
        return names.variable(sort) if choices.boolean() and not _has_quantified_body(clause) else atom.children[at]

    argument = _NewArgument(
        sort, lambda atom: atom.children[at], in_body, None, lambda new, others: [apply("=", new, others[at])]
    )
    return _with_one_more(system, (predicate, at), argument)


def _has_quantified_body(clause: Clause) -> bool:
    """Return whether one atom of the body may stand for several, with different variables of the same name."""
    formula = clause.formula
    return (formula.children[0] if isinstance(formula, Quantifier) else formula).depth > 0


# Fewer arguments -----------------------------------------------------------------------------------


def _without_one(
    system: System, old: Argument, body: Callable[[Atom, Term], Term], meaning: Callable[[Terms], Term]
) -> PredicateTransformation:
    predicate, at = old
    new = Predicate(predicate.name, (*predicate.parameters[:at], *predicate.parameters[at + 1 :]))

    def without(atom: Atom) -> Atom:
        return Atom(new, (*atom.children[:at], *atom.children[at + 1 :]))

    def becomes(fact: Fact) -> list[Fact]:
        if fact.predicate is not predicate:
            return [fact]
        return [Fact(new, (*fact.values[:at], *fact.values[at + 1 :]))]

    parameters = itself(new).parameters
    meanings = {new: Meaning(parameters, meaning(parameters))}
    after = replaced(system, predicate, [new], lambda atom, _: body(without(atom), atom.children[at]), [without])
    return PredicateTransformation(after, meanings, each_fact(becomes))


@dataclass(frozen=True)
class _Uses:
    """A clause's uses of arguments: the terms in its head, and the arguments that its body depends on."""

    head: Mapping[Argument, Term]
    inspected: frozenset[Argument]


def _uses(clause: Clause) -> _Uses:
    """Return the uses of arguments by a clause.

    A body does not depend on an argument that is a variable without other occurrences, except in the same argument
    of the head: the clause then only passes it on.
    """

    def derive() -> _Uses:
        head: dict[Argument, Term] = {}
        if isinstance(clause.head, Atom):
            head = {(clause.head.predicate, at): argument for at, argument in enumerate(clause.head.children)}
        return _Uses(head, frozenset(_inspected(clause)))

    return kept(clause.formula, "signatures.uses", derive)


def _inspected(clause: Clause) -> Iterator[Argument]:
    """Yield the arguments of body atoms that are not variables, or are variables with other occurrences."""
    places = _occurrences(clause)
    for atom in subterms(*clause.body):
        if isinstance(atom, Atom):
            for at, child in enumerate(atom.children):
                own = ((atom, at), (atom.predicate, at))
                if not isinstance(child, Variable) or any(place not in own for place in places[child]):
                    yield atom.predicate, at


def _occurrences(clause: Clause) -> Mapping[Variable, Sequence[object]]:
    """Return where each variable occurs: a term of the body and a position, or the head's predicate and a position.

    A variable that is a member of the body, or a head that is not an atom, is itself such a place.
    """
    places: dict[Variable, list[object]] = {}
    for term in subterms(*clause.body):
        for at, child in enumerate(term.children):
            if isinstance(child, Variable):
                places.setdefault(child, []).append((term, at))
    for member in clause.body:
        if isinstance(member, Variable):
            places.setdefault(member, []).append(member)
    arguments = clause.head.children if isinstance(clause.head, Atom) else (clause.head,)
    for at, argument in enumerate(arguments):
        place = (clause.head.predicate, at) if isinstance(clause.head, Atom) else clause.head
        for variable in free_variables(argument):
            places.setdefault(variable, []).append(place)
    return places


def _constant_in_heads(system: System) -> list[Argument]:
    """Return the arguments that are the same constant in every head, with at least one head."""
    constants: dict[Argument, Term | None] = {}
    for clause in system.clauses:
        for argument, term in _uses(clause).head.items():
            same = isinstance(term, Value) and constants.get(argument, term) is term
            constants[argument] = term if same else None
    return [argument for argument in arguments(system, lambda _: True) if constants.get(argument) is not None]


def _drop_constant(system: System, choices: Choices) -> PredicateTransformation | None:
    found = _constant_in_heads(system)
    if not found:
        return None
    argument = predicate, at = choices.pick(found)
    constant = next(_uses(clause).head[argument] for clause in system.clauses if argument in _uses(clause).head)

    def in_body(atom: Atom, term: Term) -> Term:
        return atom if term is constant else conjunction(atom, apply("=", term, constant))

    def meaning(parameters: Terms) -> Term:
        return Atom(predicate, (*parameters[:at], constant, *parameters[at:]))

    return _without_one(system, argument, in_body, meaning)


def _uninspected(system: System) -> list[Argument]:
    used = {argument for clause in system.clauses for argument in _uses(clause).inspected}
    return [argument for argument in arguments(system, lambda _: True) if argument not in used]


def _drop_unused(system: System, choices: Choices) -> PredicateTransformation | None:
    found = _uninspected(system)
    if not found:
        return None
    argument = predicate, at = choices.pick(found)
    gone = Variable("y", predicate.parameters[at])  # the others are called x!0, x!1 ...

    def meaning(parameters: Terms) -> Term:
        return Quantifier("exists", [gone], Atom(predicate, (*parameters[:at], gone, *parameters[at:])))

    return _without_one(system, argument, lambda atom, _: atom, meaning)


MUTATIONS = (
    transformation_row(
        "signatures.permute",
        "a predicate takes its arguments in another order",
        "slicing and generalization follow the order of arguments",
        _permute,
        lambda system: any(len(predicate.parameters) > 1 for predicate in occurring(system)),
    ),
    transformation_row(
        "signatures.shift",
        "an argument is shifted: x + c for x",
        "unimodular change of coordinates",
        _shift,
        lambda system: bool(arguments(system, lambda sort: _moves(sort) and sort is not BOOL)),
    ),
    transformation_row(
        "signatures.negate",
        "an argument is negated: - x for x, or not x",
        "unimodular change of coordinates",
        _negate,
        lambda system: bool(arguments(system, _moves)),
    ),
    transformation_row(
        "signatures.sum",
        "another argument is added to an argument: x + y, y for x, y",
        "unimodular change of coordinates",
        _sum,
        lambda system: bool(_pairs(system)),
    ),
    transformation_row(
        "signatures.scale",
        "an argument is multiplied by a constant",
        "change of coordinates; lemmas about an integer then hold modulo the factor",
        _scale,
        lambda system: bool(arguments(system, _scales)),
    ),
    transformation_row(
        "signatures.add-free",
        "a predicate takes one more argument, with an arbitrary value",
        "undoes slicing: Z3's dl_mk_slice.cpp",
        _add_free,
        lambda system: bool(occurring(system)),
    ),
    transformation_row(
        "signatures.add-constant",
        "a predicate takes one more argument, the same constant in every head",
        "after Z3's dl_mk_slice.cpp",
        _add_constant,
        lambda system: bool(occurring(system)),
    ),
    transformation_row(
        "signatures.duplicate",
        "a predicate takes one of its arguments twice",
        "every lemma then needs an equality",
        _duplicate,
        lambda system: bool(arguments(system, lambda _: True)),
    ),
    transformation_row(
        "signatures.drop-constant",
        "an argument that is the same constant in every head is dropped",
        "constant propagation",
        _drop_constant,
        lambda system: bool(_constant_in_heads(system)),
    ),
    transformation_row(
        "signatures.drop-unused",
        "an argument that no body uses is dropped",
        "slicing: Z3's dl_mk_slice.cpp",
        _drop_unused,
        lambda system: bool(_uninspected(system)),
    ),
)
