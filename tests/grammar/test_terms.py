import copy
import gc

import pytest
from chcfuzz.grammar.errors import SortError
from chcfuzz.grammar.paths import replace_at
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.sorts import BOOL, INT, bitvec
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.terms import (
    FALSE,
    MAX_DEPTH,
    TRUE,
    Apply,
    Atom,
    Predicate,
    Quantifier,
    Term,
    Value,
    Variable,
    apply,
    conjunction,
    disjunction,
    free_variables,
    integer,
    interned,
    postorder,
    real,
    subterms,
    vector,
)

X, Y, Z = Variable("x", INT), Variable("y", INT), Variable("z", INT)


def term(text: str) -> Term:
    return parse_term(text, [X, Y, Z])


def test_equal_structure_is_one_object() -> None:
    assert apply("+", X, integer(1)) is apply("+", X, integer(1))
    assert apply("+", X, integer(1)) is not apply("+", integer(1), X)
    assert copy.deepcopy(term("(+ x 1)")) is term("(+ x 1)")


def test_constants_of_different_sorts_are_different() -> None:
    one = {integer(1), real(1), TRUE, vector(1, 1), vector(1, 2)}
    assert len(one) == 5


def test_a_term_counts_its_nodes_as_a_tree() -> None:
    shared = term("(+ x y)")
    assert apply("*", shared, shared).size == 7


def test_ill_sorted_terms_cannot_be_made() -> None:
    p = Predicate("p", (INT,))
    for make in (
        lambda: apply("and", X),
        lambda: apply("=", X, TRUE),
        lambda: apply("(_ extract 8 0)", vector(0, 8)),
        lambda: apply("no-such-operator", X),
        lambda: Atom(p, (TRUE,)),
        lambda: Atom(p, ()),
        lambda: Quantifier("forall", (X,), integer(1)),
        lambda: Quantifier("forall", (), TRUE),
        lambda: apply("+", X, Y).rebuild((X, TRUE)),
    ):
        with pytest.raises(SortError):
            make()


def test_quantifiers_are_not_nested_without_end() -> None:
    nested: Term = TRUE
    for _ in range(MAX_DEPTH):
        nested = Quantifier("forall", (X,), nested)
    with pytest.raises(SortError, match="quantifiers may be nested 100 deep, not more"):
        Quantifier("exists", (Y,), nested)


def test_a_bitvector_constant_is_taken_modulo_its_width() -> None:
    assert vector(-1, 8) is Value(255, bitvec(8))


def test_conjunctions_and_disjunctions_of_few_members_have_no_operator() -> None:
    p = apply("<", X, Y)
    assert conjunction() is TRUE
    assert disjunction() is FALSE
    assert conjunction(p) is p is disjunction(p)
    assert isinstance(conjunction(p, p), Apply)


def test_walks_meet_each_shared_subterm_once() -> None:
    shared = term("(+ x y)")
    top = apply("*", shared, shared)
    assert [print_term(t) for t in subterms(top)] == [print_term(top), "(+ x y)", "x", "y"]
    assert [print_term(t) for t in postorder(top)] == ["x", "y", "(+ x y)", print_term(top)]


def test_free_variables_come_in_order_of_first_occurrence() -> None:
    assert free_variables(term("(exists ((y Int)) (and (< z y) (< x y)))")) == (Z, X)
    assert free_variables(X) == (X,)
    assert free_variables(TRUE) == ()


@pytest.mark.slow
def test_terms_without_users_are_gone() -> None:
    gc.collect()
    before = interned()
    base = term("(and (< x y) (< y z))")
    for n in range(100_000):
        mutant = replace_at(base, (0,), apply("<", integer(n), X))
        free_variables(mutant)
    assert interned() < before + 50
    del base, mutant
    gc.collect()
    assert interned() <= before


@pytest.mark.slow
def test_deep_terms_do_not_reach_the_recursion_limit() -> None:
    deep: Term = X
    for _ in range(50_000):
        deep = apply("+", deep, Y)
    assert free_variables(deep) == (X, Y)
    assert substitute(deep, {X: Y}).size == deep.size == 100_001
    assert len(print_term(deep)) > 100_000
    assert sum(1 for _ in postorder(deep)) == 50_002
    del deep


def test_a_term_shows_itself_in_smtlib() -> None:
    assert repr(term("(< x 1)")) == "<(< x 1)>"
    assert repr(Predicate("p", (INT, BOOL))) == "<p(Int, Bool)>"
