"""The shape of a reduced system: theories, rules, classes of operators."""

import pytest
from chcfuzz.domains.chc.shape import shape_of
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.triage.examine.shape import SystemShape

from tests.triage.examine.test_examination import SAT


def shape(*commands: str) -> SystemShape:
    return shape_of(parse("(set-logic HORN)\n" + "\n".join(commands) + "\n(check-sat)\n"))


def test_names_numbers_and_the_order_of_clauses_are_no_part_of_it() -> None:
    one = shape(
        "(declare-fun p (Int) Bool)",
        "(assert (forall ((x Int)) (=> (< x 3) (p x))))",
        "(assert (=> (p 7) false))",
    )
    other = shape(
        "(declare-fun inv (Int) Bool)",
        "(assert (=> (inv 8) false))",
        "(assert (forall ((y Int)) (=> (>= y 12) (inv y))))",
    )
    assert one == other
    assert one.summary() == "LIA, linear; order"


def test_a_rule_with_two_predicates_is_not_linear() -> None:
    assert shape_of(parse(SAT)).linear
    assert not shape("(declare-fun p () Bool)", "(declare-fun q () Bool)", "(assert (=> (and p q) false))").linear


@pytest.mark.parametrize(
    ("rules", "recursive"),
    [
        (["(=> p p)"], True),
        (["(=> p q)", "(=> q p)"], True),
        (["(=> p q)", "(=> q r)", "(=> p r)", "(=> r false)"], False),
        (["(=> p q)", "(=> q r)", "(=> r q)"], True),
    ],
)
def test_a_predicate_that_depends_on_itself_makes_it_recursive(rules: list[str], recursive: bool) -> None:
    declared = [f"(declare-fun {name} () Bool)" for name in "pqr"]
    assert shape(*declared, *(f"(assert {rule})" for rule in rules)).recursive is recursive


@pytest.mark.parametrize(
    ("sorts", "constraint", "operators"),
    [
        ("Int", "(and (or (= x 1) (distinct x 2)) (not (= x 3)))", ("equality of Int",)),
        (
            "Int",
            "(= 2 (ite (> (- x) 1) (* 2 x) (mod x 3)))",
            ["division", "equality of Int", "ite", "order", "product", "sum"],
        ),
        ("(_ BitVec 4)", "(bvule x (bvadd x #b0001))", ("bit-vector order", "bit-vector sum")),
        ("(_ BitVec 4)", "(= ((_ extract 1 0) x) (concat #b1 #b0))", ("equality of BV", "width")),
        ("(Array Int Bool)", "(select (store x 1 true) 2)", ("select", "store")),
        ("(Array Int Int)", "(= x ((as const (Array Int Int)) 0))", ("constant array", "equality of Arrays")),
        ("L", "((_ is cons) x)", ("tester",)),
        ("L", "(= (tl x) (cons 1 nil))", ("constructor", "equality of ADT", "selector")),
        ("Bool", "(= x (exists ((y Int)) (> y 0)))", ("exists", "order")),
    ],
)
def test_operators_are_told_by_class(sorts: str, constraint: str, operators: tuple[str, ...]) -> None:
    found = shape(
        "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))",
        f"(declare-fun p ({sorts}) Bool)",
        f"(assert (forall ((x {sorts})) (=> (and (p x) {constraint}) false)))",
    )
    assert found.operators == tuple(operators)


def test_a_member_that_stands_twice_is_seen() -> None:
    declared = "(declare-fun p () Bool)"
    assert shape(declared, "(assert (=> (and p p) false))").doubled
    assert not shape(declared, "(assert (=> (and p true) false))").doubled
