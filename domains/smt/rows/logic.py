"""Connectives, equality and `ite`: a term becomes an equal one, by definitions, commutativity, and moves of `ite`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations, islice, pairwise

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.leniences import as_read, rebuilt
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Apply,
    Binder,
    Call,
    Quantifier,
    Term,
    Value,
    apply,
    conjunction,
    disjunction,
    free_variables,
    implication,
    is_operator,
    negation,
    postorder,
    subterms,
)
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.places import holds_a_value, swapped
from chcfuzz.mutators.rewriting.term_rows import About, row_of_term

_MOST = 60  # nodes of a term that may be duplicated
_SOURCE = "definitions of SMT-LIB's Core theory; preprocessing of Z3, cvc5 and Bitwuzla"


def _ite(condition: Term, yes: Term, no: Term) -> Term:
    return Apply("ite", (condition, yes, no))


# Neutral elements ----------------------------------------------------------------------------------


def same(p: Term, choices: Choices) -> Term:
    """Return an equal formula: the given one negated twice, or joined with a neutral element, as in `(and p true)`."""
    options: tuple[Callable[[], Term], ...] = (
        lambda: negation(negation(p)),
        lambda: conjunction(p, TRUE),
        lambda: disjunction(FALSE, p),
        lambda: conjunction(p, p),
        lambda: apply("=", p, TRUE),
        lambda: apply("distinct", p, FALSE),
        lambda: apply("xor", p, FALSE),
        lambda: negation(apply("xor", TRUE, p)),
        lambda: _ite(p, TRUE, FALSE),
        lambda: _ite(negation(p), FALSE, TRUE),
        lambda: implication(TRUE, p),
        lambda: implication(negation(p), FALSE),
        lambda: implication(negation(p), p),
    )
    return choices.pick(options)()


# Definitions ---------------------------------------------------------------------------------------


def _binary(operator: str, a: Term, b: Term) -> list[Term]:
    """Return terms equal to a connective of two formulas."""
    not_a, not_b = negation(a), negation(b)
    found: Mapping[str, list[Callable[[], Term]]] = {
        "=>": [
            lambda: disjunction(not_a, b),
            lambda: implication(not_b, not_a),
            lambda: apply("=", a, apply("and", a, b)),
        ],
        "xor": [
            lambda: negation(apply("=", a, b)),
            lambda: apply("distinct", a, b),
            lambda: _ite(a, not_b, b),
            lambda: conjunction(disjunction(a, b), disjunction(not_a, not_b)),
        ],
        "=": [
            lambda: conjunction(implication(a, b), implication(b, a)),
            lambda: negation(apply("xor", a, b)),
            lambda: apply("=", not_a, not_b),
            lambda: _ite(a, b, not_b),
            lambda: disjunction(conjunction(a, b), conjunction(not_a, not_b)),
        ],
        "and": [lambda: _ite(a, b, FALSE), lambda: negation(implication(a, not_b))],
        "or": [lambda: _ite(a, TRUE, b), lambda: implication(not_a, b)],
    }
    return [make() for make in found.get(operator, ())]


def _negated(p: Term) -> list[Term]:
    """Return terms equal to the negation of a formula."""
    if isinstance(p, Quantifier):
        return [Quantifier("exists" if p.kind == "forall" else "forall", p.variables, negation(p.body))]
    if is_operator(p, "not"):
        return [p.children[0]]
    if is_operator(p, "and") or is_operator(p, "or"):
        other = "or" if is_operator(p, "and") else "and"
        return [Apply(other, [negation(child) for child in p.children])]
    if is_operator(p, "=>") and len(p.children) == 2:
        return [conjunction(p.children[0], negation(p.children[1]))]
    if is_operator(p, "ite"):
        condition, yes, no = p.children
        return [_ite(condition, negation(yes), negation(no))]
    return []


def defined_terms(term: Term) -> list[Term]:
    """Return the terms that the definition of the outermost operator gives."""
    if isinstance(term, Quantifier):
        other = "exists" if term.kind == "forall" else "forall"
        return [negation(Quantifier(other, term.variables, negation(term.body)))]
    if not isinstance(term, Apply) or term.sort is not BOOL:
        return []
    children, operator = term.children, term.operator
    if operator == "not":
        return _negated(children[0])
    found: list[Term] = []
    if operator in ("and", "or"):
        dual = "or" if operator == "and" else "and"
        found.append(
            negation(Apply(dual, [negation(child) for child in children])) if len(children) > 1 else children[0]
        )
    if len(children) == 2 and all(child.sort is BOOL for child in children):
        found += _binary(operator, *children)
    if len(children) > 2 and operator in ("=", "<", "<=", ">", ">="):
        found.append(conjunction(*(Apply(operator, pair) for pair in pairwise(children))))
    if operator == "distinct":
        found.append(conjunction(*(negation(apply("=", *pair)) for pair in combinations(children, 2))))
    if operator == "ite":
        condition, yes, no = children
        found.append(conjunction(implication(condition, yes), implication(negation(condition), no)))
        found.append(disjunction(conjunction(condition, yes), conjunction(negation(condition), no)))
    if operator == "=>" and len(children) > 2:
        found.append(implication(children[0], Apply("=>", children[1:])))
    return found


def _defined(term: Term, choices: Choices) -> Term | None:
    found = defined_terms(term)
    return choices.pick(found) if found else None


# Order of arguments --------------------------------------------------------------------------------

COMMUTATIVE = ("and", "or", "xor", "=", "distinct", "+", "*", "bvadd", "bvmul", "bvand", "bvor", "bvxor")
COMMUTATIVE_PAIRS = ("bvnand", "bvnor", "bvxnor", "bvcomp", "bvuaddo", "bvsaddo", "bvumulo", "bvsmulo")
ASSOCIATIVE = ("and", "or", "+", "*", "xor", "bvadd", "bvmul", "bvand", "bvor", "bvxor", "concat")


def _is_commutative(term: Term) -> bool:
    return (
        isinstance(term, Apply) and term.operator in (*COMMUTATIVE, *COMMUTATIVE_PAIRS) and len(set(term.children)) > 1
    )


def _turn(term: Term, choices: Choices) -> Term:
    return rebuilt(term, swapped(term.children, choices))


def _is_associative(term: Term) -> bool:
    if not isinstance(term, Apply) or term.operator not in ASSOCIATIVE:
        return False
    return len(term.children) > 2 or any(is_operator(child, term.operator) for child in term.children)


def _regroup(term: Term, choices: Choices) -> Term:
    """Flatten a nested application of the same operator, or nest neighbouring arguments."""
    assert isinstance(term, Apply)
    nested = [at for at, child in enumerate(term.children) if is_operator(child, term.operator)]
    if nested and (len(term.children) == 2 or choices.boolean()):
        at = choices.pick(nested)
        return Apply(term.operator, (*term.children[:at], *term.children[at].children, *term.children[at + 1 :]))
    start = choices.index(len(term.children) - 1)
    end = min(len(term.children), start + choices.integer(2, max(2, len(term.children) - 1)))
    inner = Apply(term.operator, term.children[start:end])
    return Apply(term.operator, (*term.children[:start], inner, *term.children[end:]))


# ite -----------------------------------------------------------------------------------------------


def _holds_ite(term: Term) -> bool:
    if not isinstance(term, Apply | Call) or term.size > _MOST or holds_a_value(term):
        return False
    return any(is_operator(child, "ite") for child in term.children)


def _lift_ite(term: Term, choices: Choices) -> Term:
    """Replace f(ite c a b) by (ite c f(a) f(b))."""
    at = choices.pick([at for at, child in enumerate(term.children) if is_operator(child, "ite")])
    condition, *branches = term.children[at].children
    yes, no = (rebuilt(term, (*term.children[:at], branch, *term.children[at + 1 :])) for branch in branches)
    return _ite(condition, yes, no)


def _is_ite(term: Term) -> bool:
    return is_operator(term, "ite")


def _turn_ite(term: Term, _choices: Choices) -> Term:
    condition, yes, no = term.children
    if is_operator(condition, "not"):
        return _ite(condition.children[0], no, yes)
    return _ite(negation(condition), no, yes)


def _parts(term: Term) -> list[Term]:
    """Return the formulas inside a term that do not depend on what is bound inside it, and are not constants."""
    if isinstance(term, Binder):
        return []
    free = set(free_variables(term))
    found = (part for part in subterms(*term.children) if part.sort is BOOL and not isinstance(part, Value))
    return [part for part in islice(found, _MOST) if free.issuperset(free_variables(part))]


def _may_be_cut(term: Term) -> bool:
    return 1 < term.size <= _MOST and not holds_a_value(term) and bool(_parts(term))


def _cut(term: Term, choices: Choices) -> Term:
    """Replace t by (ite p t[true] t[false]) for a formula p inside t."""
    part = choices.pick(_parts(term))
    return _ite(part, _with(term, part, TRUE), _with(term, part, FALSE))


def _with(term: Term, part: Term, value: Term) -> Term:
    """Return the term with the part replaced, except where a quantifier binds a variable of the part."""
    free = set(free_variables(part))
    done: dict[Term, Term] = {}
    for here in postorder(term, enter_quantifiers=False):
        if here is part:
            done[here] = value
        elif isinstance(here, Binder):
            inside = here.body if not free.isdisjoint(here.variables) else _with(here.body, part, value)
            done[here] = here.rebuild([inside])
        else:
            done[here] = here.rebuild([done[child] for child in here.children]) if here.children else here
    return as_read(done[term])


def _is_formula(term: Term) -> bool:
    return term.sort is BOOL


def _is_defined(term: Term) -> bool:
    return _is_formula(term) and term.size <= _MOST and bool(defined_terms(term))


def _about(name: str, summary: str) -> About:
    return About(f"smt_logic.{name}", Promise.EQUIVALENT, summary, _SOURCE, light=True)


MUTATIONS = (
    row_of_term(_about("same", "a formula gets a neutral element, or is negated twice"), _is_formula, same),
    row_of_term(_about("defined", "a connective becomes its definition by others"), _is_defined, _defined),
    row_of_term(_about("turn", "two arguments of a commutative operator are exchanged"), _is_commutative, _turn),
    row_of_term(_about("regroup", "arguments of an associative operator are regrouped"), _is_associative, _regroup),
    row_of_term(_about("lift-ite", "an ite moves out of an application"), _holds_ite, _lift_ite),
    row_of_term(_about("turn-ite", "an ite gets the negated condition"), _is_ite, _turn_ite),
    row_of_term(_about("cut", "a term becomes an ite about a formula inside of it"), _may_be_cut, _cut),
)
