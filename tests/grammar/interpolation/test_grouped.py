"""Interpolation problems: groups, cuts and symbols, and the text with the groups of assertions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.grammar.interpolation.grouped import AXIOM, Grouped, Interpolation
from chcfuzz.grammar.problem import Assertion
from chcfuzz.grammar.terms import TRUE

SEQUENCE = """(set-logic ALL)
(set-info :status unsat)
(declare-sort U 0)
(declare-fun f (Int) Int)
(declare-fun g (Int) U)
(declare-fun a () Int)
(declare-fun b () Int)
(declare-fun c () Int)
(declare-fun u () U)
(assert (! (= a (f b)) :interpolation-group g0))
(assert (! (> b 0) :named first :interpolation-group g0))
(assert (! (= c (f b)) :interpolation-group g1))
(assert (! (= (g c) u) :interpolation-group g1))
(assert (! (distinct (g a) u) :interpolation-group g2))
(assert (! (forall ((x Int))
    (= (g x) u)) :interpolation-group axiom))
(check-sat)
"""
TREE = """(set-logic ALL)
(set-info :interpolation-parents "g2 g2 g3")
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun z () Int)
(assert (! (= x 1) :interpolation-group g0))
(assert (! (= y 2) :interpolation-group g1))
(assert (! (= z (+ x y)) :interpolation-group g2))
(assert (! (< z 0) :interpolation-group g3))
(check-sat)
"""


def test_groups_cuts_and_symbols_of_a_sequence_are_read() -> None:
    stated = read(SEQUENCE)
    assert stated.groups == ((0, 1), (2, 3), (4,))
    assert stated.axioms == (5,)
    assert stated.cuts == 2
    assert [each.name for each in stated.assertions][:2] == [None, "first"]
    a, b = stated.sides(1)
    assert a == (*stated.group(0), *stated.group(1))
    assert b == (*stated.group(2), *stated.axiom_formulas)
    assert stated.shared(0) == ("U", "a", "b", "f", "g", "u")  # U, g and u because of the axiom
    assert stated.shared(1) == ("U", "a", "g", "u")


def test_the_symbols_of_axioms_alone_are_shared() -> None:
    stated = read(SEQUENCE)
    without = stated.with_assertions(stated.assertions[:-1])
    assert without.shared(0) == ("a", "b", "f")


def test_a_tree_has_the_cuts_of_its_subtrees() -> None:
    stated = read(TREE)
    assert stated.parents == (2, 2, 3)
    assert [stated.below(cut) for cut in range(stated.cuts)] == [(0,), (1,), (0, 1, 2)]
    assert stated.children(2) == (0, 1)
    assert stated.shared(0) == ("x",)
    assert stated.shared(2) == ("z",)


@pytest.mark.parametrize("text", [SEQUENCE, TREE])
def test_the_printed_text_states_the_same_problem(text: str) -> None:
    assert printed(read(text)) == text
    assert read(printed(read(text))) == read(text)


def test_other_names_of_groups_are_in_the_order_of_their_first_assertions() -> None:
    stated = read(SEQUENCE.replace("g0", "left").replace("g1", "middle").replace("g2", "right"))
    assert stated == read(SEQUENCE)


def test_a_new_assertion_joins_the_group_before_it() -> None:
    stated = read(SEQUENCE)
    added = stated.with_assertions((Assertion(TRUE), *stated.assertions[:3], Assertion(TRUE), *stated.assertions[3:]))
    assert isinstance(added, Interpolation)
    assert added.labels == (0, 0, 0, 1, 1, 1, 2, AXIOM)


def test_a_group_without_assertions_disappears() -> None:
    stated = read(SEQUENCE)
    assert stated.with_assertions((*stated.assertions[:2], *stated.assertions[4:])).labels == (0, 0, 1, AXIOM)
    tree = read(TREE)
    without_inner = tree.with_assertions((*tree.assertions[:2], tree.assertions[3]))
    assert without_inner.parents == (2, 2)
    without_root = tree.with_assertions(tree.assertions[:3])
    assert without_root.parents == (2, 2)
    assert tree.with_assertions(tree.assertions[1:]).parents == ()  # a sequence is left
    assert replace(tree, assertions=(Grouped(TRUE),)).cuts == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(= x 1) :interpolation-group g0", "(= x 1) :note g0", "an assertion without a group"),
        (":interpolation-group g2", ":interpolation-group g4", "group g2 has no assertion"),
        ('"g2 g2 g3"', '"g2 g2 g5"', "the parent g5 has no assertion"),
        ('"g2 g2 g3"', '"g2 g2"', "2 parents for 4 groups"),
        ('"g2 g2 g3"', '"g2 g2 g0"', "g2 is below g0, but the tree is cyclic"),
        ('"g2 g2 g3"', '"g3 g0 g3"', "g1 is below g0, but parents come after their children"),
        ("(check-sat)", "(check-sat-assuming ((= x 2)))", "assumptions have no group"),
    ],
)
def test_refusals_are_one_line(old: str, new: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message) as error:
        read(TREE.replace(old, new))
    assert "\n" not in str(error.value)


def test_one_group_is_refused() -> None:
    with pytest.raises(GrammarError, match="1 groups"):
        read("(declare-const p Bool)(assert (! p :interpolation-group g0))(check-sat)")
