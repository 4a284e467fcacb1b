"""What predicates take: arguments in another order, others in the place of some, more of them, fewer.

Slicing, inlining and the generalization of lemmas look at just that. p is the predicate before, q the one after; S' has
a model where S has one because q means what is said of it, and the reverse because p may then mean what is said of it:

- in another form, q(f(x)) for p(x), f being one-to-one: q(y) is p(g(y)) with g(f(x)) = x, and p(x) is q(f(x));
- a free argument, q(x, y) for p(x), any y in heads: q(x, y) is p(x), and p(x) is (forall y) q(x, y);
- a constant one, q(x, c), any y in bodies: q(x, y) is p(x), and p(x) is q(x, c);
- an argument twice, q(x, x): q(x, y) is p(x) and y = x, and p(x) is q(x, x);
- a constant of every head dropped, p(x, c): q(x) is p(x, c), and p(x, y) is q(x) and y = c, as bodies now say;
- an argument dropped that no body looks at: q(x) is (exists y) p(x, y), and p(x, y) is q(x).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.draw import apply_as_read, literal
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
    Form,
    Names,
    Recast,
    Terms,
    arguments,
    each_fact,
    in_form,
    occurring,
    recasting,
    replaced,
    terms_of,
    values_of,
)

# In another form -----------------------------------------------------------------------------------


def _at(number: int, change: Callable[[Term, Terms], Term]) -> Callable[[Terms], Terms]:
    """One argument becomes another term, which may speak of the others."""
    return lambda terms: (*terms[:number], change(terms[number], terms), *terms[number + 1 :])


def _permute(system: System, choices: Choices) -> Recast | None:
    found = [predicate for predicate in occurring(system) if len(predicate.parameters) > 1]
    if not found:
        return None
    old = choices.pick(found)
    places = range(len(old.parameters))
    order = choices.permutation(len(places)) if choices.boolean() else tuple(swapped(places, choices))
    form = Form(lambda terms: [terms[at] for at in order], lambda terms: [terms[order.index(at)] for at in places])
    return in_form(system, old, form)


_PLUS_MINUS = {"Int": ("+", "-"), "Real": ("+", "-"), "BitVec": ("bvadd", "bvsub"), "Bool": ("xor", "xor")}


def _moves(sort: Sort) -> bool:
    return sort.name in _PLUS_MINUS


def _shift(system: System, choices: Choices) -> Recast | None:
    """x becomes x + c; a Boolean is negated, or stays."""
    found = arguments(system, lambda sort: _moves(sort) and sort is not BOOL)
    if not found:
        return None
    old, number = choices.pick(found)
    by = _number(choices.pick((1, 2, 7, 100)), old.parameters[number])
    there, back = _PLUS_MINUS[by.sort.name][:: -1 if choices.boolean() else 1]
    form = Form(_at(number, lambda x, _: apply(there, x, by)), _at(number, lambda x, _: apply(back, x, by)))
    return in_form(system, old, form)


def _number(n: int, sort: Sort) -> Value:
    return integer(n) if sort is INT else real(n) if sort is REAL else vector(n, sort.width)


_NEGATIONS = {"Int": ("-",), "Real": ("-",), "BitVec": ("bvneg", "bvnot"), "Bool": ("not",)}  # each its own inverse


def _negate(system: System, choices: Choices) -> Recast | None:
    found = arguments(system, _moves)
    if not found:
        return None
    old, number = choices.pick(found)
    operator = choices.pick(_NEGATIONS[old.parameters[number].name])
    change = _at(number, lambda x, _: apply_as_read(operator, [x]))
    return in_form(system, old, Form(change, change))


def _pairs(system: System) -> list[tuple[Predicate, int, int]]:
    found = arguments(system, _moves)
    return [(p, a, b) for p, a in found for b, sort in enumerate(p.parameters) if b != a and sort is p.parameters[a]]


def _sum(system: System, choices: Choices) -> Recast | None:
    """x, y becomes x + y, y."""
    found = _pairs(system)
    if not found:
        return None
    old, number, other = choices.pick(found)
    there, back = _PLUS_MINUS[old.parameters[number].name][:: -1 if choices.boolean() else 1]
    form = Form(
        _at(number, lambda x, terms: apply(there, x, terms[other])),
        _at(number, lambda x, terms: apply(back, x, terms[other])),
    )
    return in_form(system, old, form)


def _scales(sort: Sort) -> bool:
    return _moves(sort) and sort is not BOOL


def _scale(system: System, choices: Choices) -> Recast | None:
    """x becomes c * x: of an integer no other values are asked for, of a bit-vector c is odd."""
    found = arguments(system, _scales)
    if not found:
        return None
    old, number = choices.pick(found)
    sort = old.parameters[number]
    by, back = choices.pick(_FACTORS[sort.name])(sort)
    product = "bvmul" if sort.is_bitvector else "*"
    form = Form(_at(number, lambda x, _: apply(product, by, x)), _at(number, lambda x, _: back(x)))
    return in_form(system, old, form)


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


# More of them --------------------------------------------------------------------------------------

Body = Callable[[Atom, Clause], Term]
Said = Callable[[Term, Terms], Sequence[Term]]


def _with_one_more(
    system: System, old: Argument, sort: Sort, head: Callable[[Atom], Term], body: Body, said: Said, value: Term | None
) -> Recast:
    """An argument before that one: in heads, in bodies, what is said of it in a model, and in facts, None: that one."""
    predicate, at = old
    new = Predicate(predicate.name, (*predicate.parameters[:at], sort, *predicate.parameters[at:]))

    def with_it(terms: Terms, term: Term) -> Terms:
        return (*terms[:at], term, *terms[at:])

    parameters = itself(new).parameters
    rest = (*parameters[:at], *parameters[at + 1 :])
    meaning = Meaning(parameters, conjunction(Atom(predicate, rest), *said(parameters[at], rest)))

    def becomes(fact: Fact) -> list[Fact]:
        if fact.predicate is not predicate:
            return [fact]
        terms = terms_of(fact)
        return [Fact(new, values_of(with_it(terms, terms[at] if value is None else value)))]

    after = replaced(
        system,
        predicate,
        [new],
        lambda atom, clause: Atom(new, with_it(atom.children, body(atom, clause))),
        [lambda atom: Atom(new, with_it(atom.children, head(atom)))],
    )
    return Recast(after, {new: meaning}, each_fact(becomes))


def _place_and_sort(system: System, choices: Choices) -> tuple[Argument, Sort] | None:
    """Where a new argument may stand, and a sort for it: one of those that the system has, or a frequent one."""
    found = occurring(system)
    if not found:
        return None
    predicate = choices.pick(found)
    at = choices.index(len(predicate.parameters) + 1)
    sorts = dict.fromkeys([*(sort for p in system.predicates for sort in p.parameters), INT, BOOL])
    return (predicate, at), choices.pick(tuple(sorts))


def _nothing(_new: Term, _rest: Terms) -> Sequence[Term]:
    return ()


def _add_free(system: System, choices: Choices) -> Recast | None:
    """In bodies it is any value too, the head's, or a constant."""
    drawn = _place_and_sort(system, choices)
    if drawn is None:
        return None
    argument, sort = drawn
    names = Names(system)
    of_head, of_body, constant = names.variable(sort), names.variable(sort), literal(sort, Choices(b""))
    asked = (of_head, of_body, constant)
    return _with_one_more(
        system, argument, sort, lambda _: of_head, lambda *_: choices.pick(asked), _nothing, value=constant
    )


def _add_constant(system: System, choices: Choices) -> Recast | None:
    """In bodies it is that constant, or any value."""
    drawn = _place_and_sort(system, choices)
    if drawn is None:
        return None
    argument, sort = drawn
    constant = literal(sort, choices, 0)
    asked = (constant, Names(system).variable(sort))
    return _with_one_more(
        system, argument, sort, lambda _: constant, lambda *_: choices.pick(asked), _nothing, value=constant
    )


def _duplicate(system: System, choices: Choices) -> Recast | None:
    """In bodies it is the argument again, or any value."""
    found = arguments(system, lambda _: True)
    if not found:
        return None
    predicate, at = choices.pick(found)
    sort = predicate.parameters[at]
    names = Names(system)

    def asked(atom: Atom, clause: Clause) -> Term:
        return names.variable(sort) if choices.boolean() and not _has_quantified_body(clause) else atom.children[at]

    return _with_one_more(
        system,
        (predicate, at),
        sort,
        lambda atom: atom.children[at],
        asked,
        lambda new, rest: [apply("=", new, rest[at])],
        value=None,
    )


def _has_quantified_body(clause: Clause) -> bool:
    """Whether an atom may stand in the body for several: of different variables by one name."""
    formula = clause.formula
    return (formula.children[0] if isinstance(formula, Quantifier) else formula).depth > 0


# Fewer ---------------------------------------------------------------------------------------------


def _without_one(
    system: System, old: Argument, body: Callable[[Atom, Term], Term], said: Callable[[Terms], Term]
) -> Recast:
    predicate, at = old
    new = Predicate(predicate.name, (*predicate.parameters[:at], *predicate.parameters[at + 1 :]))

    def without(atom: Atom) -> Atom:
        return Atom(new, (*atom.children[:at], *atom.children[at + 1 :]))

    def becomes(fact: Fact) -> list[Fact]:
        if fact.predicate is not predicate:
            return [fact]
        return [Fact(new, (*fact.values[:at], *fact.values[at + 1 :]))]

    parameters = itself(new).parameters
    meaning = Meaning(parameters, said(parameters))
    after = replaced(system, predicate, [new], lambda atom, _: body(without(atom), atom.children[at]), [without])
    return Recast(after, {new: meaning}, each_fact(becomes))


@dataclass(frozen=True)
class _Uses:
    """What a clause makes of arguments: the constants in its head, and those that its body looks at."""

    head: Mapping[Argument, Term]
    looked_at: frozenset[Argument]


def _uses(clause: Clause) -> _Uses:
    """An argument of a body's atom is not looked at if it is a variable that stands nowhere else.

    It may stand in the same argument of the head: then it is only handed on.
    """

    def derive() -> _Uses:
        places: dict[Variable, list[object]] = {}
        for term in subterms(*clause.body):
            for at, child in enumerate(term.children):
                if isinstance(child, Variable):
                    places.setdefault(child, []).append((term, at))
        for member in clause.body:
            if isinstance(member, Variable):
                places.setdefault(member, []).append(member)
        head: dict[Argument, Term] = {}
        if isinstance(clause.head, Atom):
            for at, argument in enumerate(clause.head.children):
                head[clause.head.predicate, at] = argument
                for variable in free_variables(argument):
                    places.setdefault(variable, []).append((clause.head.predicate, at))
        else:
            for variable in free_variables(clause.head):
                places.setdefault(variable, []).append(clause.head)
        looked_at: set[Argument] = set()
        for atom in subterms(*clause.body):
            if isinstance(atom, Atom):
                for at, child in enumerate(atom.children):
                    own = ((atom, at), (atom.predicate, at))
                    if not isinstance(child, Variable) or any(place not in own for place in places[child]):
                        looked_at.add((atom.predicate, at))
        return _Uses(head, frozenset(looked_at))

    return kept(clause.formula, "signatures.uses", derive)


def _constant_in_heads(system: System) -> list[Argument]:
    """Arguments that are one and the same constant in every head, of which there is one."""
    said: dict[Argument, Term | None] = {}
    for clause in system.clauses:
        for argument, term in _uses(clause).head.items():
            same = isinstance(term, Value) and said.get(argument, term) is term
            said[argument] = term if same else None
    return [argument for argument in arguments(system, lambda _: True) if said.get(argument) is not None]


def _drop_constant(system: System, choices: Choices) -> Recast | None:
    found = _constant_in_heads(system)
    if not found:
        return None
    argument = predicate, at = choices.pick(found)
    constant = next(_uses(clause).head[argument] for clause in system.clauses if argument in _uses(clause).head)

    def asked(atom: Atom, term: Term) -> Term:
        return atom if term is constant else conjunction(atom, apply("=", term, constant))

    def said(parameters: Terms) -> Term:
        return Atom(predicate, (*parameters[:at], constant, *parameters[at:]))

    return _without_one(system, argument, asked, said)


def _not_looked_at(system: System) -> list[Argument]:
    used = {argument for clause in system.clauses for argument in _uses(clause).looked_at}
    return [argument for argument in arguments(system, lambda _: True) if argument not in used]


def _drop_unused(system: System, choices: Choices) -> Recast | None:
    found = _not_looked_at(system)
    if not found:
        return None
    argument = predicate, at = choices.pick(found)
    gone = Variable("y", predicate.parameters[at])  # the others are called x!0, x!1 ...

    def said(parameters: Terms) -> Term:
        return Quantifier("exists", [gone], Atom(predicate, (*parameters[:at], gone, *parameters[at:])))

    return _without_one(system, argument, lambda atom, _: atom, said)


MUTATIONS = (
    recasting(
        "signatures.permute",
        "a predicate takes its arguments in another order",
        "the order of arguments decides what is sliced and generalized first",
        _permute,
        lambda system: any(len(predicate.parameters) > 1 for predicate in occurring(system)),
    ),
    recasting(
        "signatures.shift",
        "an argument is counted from elsewhere: x + c for x",
        "unimodular change of coordinates",
        _shift,
        lambda system: bool(arguments(system, lambda sort: _moves(sort) and sort is not BOOL)),
    ),
    recasting(
        "signatures.negate",
        "an argument has the other sign: - x for x, or not x",
        "unimodular change of coordinates",
        _negate,
        lambda system: bool(arguments(system, _moves)),
    ),
    recasting(
        "signatures.sum",
        "an argument has another added to it: x + y, y for x, y",
        "unimodular change of coordinates",
        _sum,
        lambda system: bool(_pairs(system)),
    ),
    recasting(
        "signatures.scale",
        "an argument is multiplied by a constant",
        "change of coordinates; a lemma of an integer then holds modulo the factor",
        _scale,
        lambda system: bool(arguments(system, _scales)),
    ),
    recasting(
        "signatures.add-free",
        "a predicate takes one more argument, which may be anything",
        "undoes slicing: Z3's dl_mk_slice.cpp",
        _add_free,
        lambda system: bool(occurring(system)),
    ),
    recasting(
        "signatures.add-constant",
        "a predicate takes one more argument, the same constant in every head",
        "after Z3's dl_mk_slice.cpp",
        _add_constant,
        lambda system: bool(occurring(system)),
    ),
    recasting(
        "signatures.duplicate",
        "a predicate takes one of its arguments twice",
        "an equality that every lemma has to carry",
        _duplicate,
        lambda system: bool(arguments(system, lambda _: True)),
    ),
    recasting(
        "signatures.drop-constant",
        "an argument that is the same constant in every head goes",
        "constant propagation",
        _drop_constant,
        lambda system: bool(_constant_in_heads(system)),
    ),
    recasting(
        "signatures.drop-unused",
        "an argument that no body looks at goes",
        "slicing: Z3's dl_mk_slice.cpp",
        _drop_unused,
        lambda system: bool(_not_looked_at(system)),
    ),
)
