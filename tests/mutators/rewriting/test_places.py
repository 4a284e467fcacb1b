"""Places: in order, in bodies alone, and those that stored choices of format 1 meant."""

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Term, conjunction, implication, is_operator
from chcfuzz.mutators.rewriting.places import binders, places, rewrite_one

DECLARATIONS = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q () Bool)"


def system(*clauses: str) -> System:
    return parse(DECLARATIONS + "".join(f"(assert {clause})" for clause in clauses))


def is_inequality(term: Term) -> bool:
    return is_operator(term, "<")


def is_not(term: Term) -> bool:
    return is_operator(term, "not")


SYSTEM = system(
    "(p 0)",
    "(forall ((x Int)) (=> (and (< x 1) (or (< x 2) (< 2 x)) (p x)) (p (ite (< x 9) 1 2))))",
    "(forall ((x Int)) (=> (< x 3) (=> (and (p x) (< x 4)) (< x 8))))",
    "(forall ((x Int)) (=> (p x) (p (+ x 1))))",
    "(forall ((x Int)) (or (not (< x 5)) (not (p x)) (< x 7)))",
)


def test_places_are_those_of_the_bodies_in_order() -> None:
    found = list(places(SYSTEM, "less", is_inequality))
    assert [(place.clause, print_term(place.term)) for place in found] == [
        (1, "(< x 1)"),
        (1, "(< x 2)"),
        (1, "(< 2 x)"),
        (2, "(< x 3)"),
        (2, "(< x 4)"),
        (4, "(< x 5)"),
    ]
    assert [place.path for place in found[3:]] == [(0, 0), (0, 1, 0, 1), (0, 0, 0)]


@pytest.mark.parametrize("key", [b"", b"key"])
def test_every_place_can_be_picked(key: bytes) -> None:
    found = places(SYSTEM, "less", is_inequality)
    assert [found.pick(Choices(bytes([number]), key)) for number in range(6)] == list(found)


def test_where_nothing_is_wanted_there_is_no_place() -> None:
    assert not places(SYSTEM, "nots", is_not)
    assert places(SYSTEM, "less", is_inequality)


def test_choices_without_a_key_distinguish_the_first_4096_places_of_a_clause_and_others_all() -> None:
    deep = system("(=> (and " + "(< 0 1) " * 5000 + ") q)", "(=> (< 0 2) q)")
    found = places(deep, "less", is_inequality)
    last = (4096).to_bytes(2, "little")
    assert found.pick(Choices(last)).clause == 1
    assert found.pick(Choices(last, b"key")).path == (0, 4096)
    assert found.pick(Choices((5000).to_bytes(2, "little"), b"key")).clause == 1


def test_a_term_in_its_own_place_is_no_change() -> None:
    assert rewrite_one(SYSTEM, Choices(b""), "less", is_inequality, lambda term, _: term) is None


def test_binders_are_found_wherever_they_stand() -> None:
    quantified = system(
        "(forall ((x Int)) (forall ((y Int) (z Int)) (=> (p x) (p (+ y z)))))",
        "(forall ((x Int)) (=> (and (p x) (exists ((a Int) (b Int)) (< a b x))) q))",
        "(=> q (forall ((c Int) (d Int)) (< c d)))",
        "q",
    )
    found = [[(place.clause, place.path) for place in binders(quantified, least)] for least in (1, 2, 3)]
    assert found == [
        [(0, ()), (0, (0,)), (1, ()), (1, (0, 0, 1)), (2, (1,))],
        [(0, (0,)), (1, (0, 0, 1)), (2, (1,))],
        [],
    ]


def test_deep_systems_are_rewritten_without_all_their_paths() -> None:
    """The paths of 10,000 conjunctions in each other take 400 megabytes."""
    small = system("(=> (and (p 1) (< 0 1)) q)")
    conjunct, less = small.clauses[0].body
    head = small.clauses[0].head
    inner, nested = less, head
    for _ in range(10_000):
        inner = conjunction(conjunct, inner)
        nested = implication(conjunct, nested)
    deep = small.with_clauses([Clause(implication(inner, head)), Clause(nested)])
    assert [place.path for place in places(deep, "less", is_inequality)] == [(0, *[1] * 10_000)]
    changed = rewrite_one(deep, Choices(b""), "less", is_inequality, lambda term, _: term.rebuild(term.children[::-1]))
    assert changed is not None
    assert changed.clauses[0].formula.size == deep.clauses[0].formula.size
    assert len(deep.clauses[1].body_roots) == 10_000
