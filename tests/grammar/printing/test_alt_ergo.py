"""Problems in the native language of Alt-Ergo; Alt-Ergo 2.4 has read all of these forms."""

from __future__ import annotations

import pytest
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.alt_ergo import print_alt_ergo
from chcfuzz.grammar.reading.parse import problem

TEXT = """(declare-sort U 0)(declare-fun f (U Bool) Int)(declare-const |odd name| U)(declare-const x!1 U)
(declare-const x_1 U)(declare-const goal Int)(declare-const v (_ BitVec 4))
(declare-datatypes ((L 0) (T 0)) (((nil) (cons (hd Int) (tl L))) ((leaf) (node (kids L) (b Bool)))))
(declare-const l L)(declare-const t T)(declare-const m (Array U (Array Int Bool)))(declare-const r Real)
(assert (distinct |odd name| x!1 x_1))
(assert (> (f x_1 (= l nil)) goal (- 2)))
(assert (and ((_ is cons) l) (=> (> (hd l) 0) ((_ is nil) (tl l)))))
(assert (forall ((u U) (v!1 U) (p Bool)) (or (distinct u v!1) (exists ((k Int)) (= k goal)))))
(assert (= (select m x_1) (store (select m x_1) 3 true)))
(assert (= (/ 1 3) r))(assert (= ((_ extract 2 1) v) (concat #b1 ((_ extract 0 0) v))))
(assert (= ((_ sign_extend 2) v) ((_ zero_extend 2) ((_ rotate_left 1) v))))
(assert (not (= t (node l (ite (b t) false (not (b t)))))))
"""


def test_a_problem_is_a_goal_after_axioms() -> None:
    assert print_alt_ergo(problem(TEXT)).splitlines() == [
        "type U",
        "type L = nil | cons of { hd : int; tl : L }",
        "and T = leaf | node of { kids : L; b : bool }",
        "logic f : U, bool -> int",
        "logic n_odd_name : U",
        "logic n_x_1 : U",
        "logic x_1 : U",
        "logic goal_1 : int",
        "logic v : bitv[4]",
        "logic l : L",
        "logic t : T",
        "logic m : (U, (int, bool) farray) farray",
        "logic r : real",
        "axiom axiom_0 : distinct(n_odd_name, n_x_1, x_1)",
        "axiom axiom_1 : ((f(x_1, (l = nil)) > goal_1) and (goal_1 > (- 2)))",
        "axiom axiom_2 : ((l ? cons) and (((l#hd) > 0) -> ((l#tl) ? nil)))",
        "axiom axiom_3 : (forall u : U, n_v_1 : U, p : bool. (distinct(u, n_v_1) or (exists k : int. (k = goal_1))))",
        "axiom axiom_4 : (m[x_1] = m[x_1][3 <- true])",
        "axiom axiom_5 : ((1.0 / 3.0) = r)",
        "axiom axiom_6 : (v^{1,2} = ([|1|] @ v^{0,0}))",
        "axiom axiom_7 : ((v^{3,3} @ v^{3,3} @ v) = ([|00|] @ (v^{0,2} @ v^{3,3})))",
        "goal goal_0 : (t = node(l, (if (t#b) then false else (not (t#b)))))",
    ]


def test_a_constant_array_is_an_axiom() -> None:
    text = print_alt_ergo(problem("(declare-const m (Array Int Int))(assert (= m ((as const (Array Int Int)) 3)))"))
    assert text.splitlines()[1:] == [
        "logic constant : (int, int) farray",
        "axiom axiom_0 : (forall index : int. (constant[index] = 3))",
        "goal goal_0 : not (m = constant)",
    ]


def test_names_stay_apart() -> None:
    text = """(declare-const a!b Int)(declare-const a?b Int)(declare-const axiom_0 Int)(declare-const |a b| Int)
    (assert (forall ((|a-b| Int)) (distinct a!b a?b axiom_0 |a b| |a-b|)))(assert true)"""
    printed = print_alt_ergo(problem(text))
    names = [line.split()[1] for line in printed.splitlines()]
    assert len(set(names)) == len(names) == 6


@pytest.mark.parametrize("operator", ["bvadd", "bvult", "bvnot"])
def test_an_operator_that_the_language_lacks_is_named(operator: str) -> None:
    args = "v" if operator == "bvnot" else "v v"
    with pytest.raises(ChcfuzzError, match=f"{operator} is not an operator of Alt-Ergo's native language"):
        print_alt_ergo(problem(f"(declare-const v (_ BitVec 4))(assert (= ({operator} {args}) ({operator} {args})))"))


def test_an_assertion_that_is_too_large_is_refused() -> None:
    lets = "".join(f"(let ((x{n + 1} (and x{n} x{n}))) " for n in range(40))
    stated = problem(f"(declare-const x0 Bool)(assert {lets}x40{')' * 40})")
    with pytest.raises(ChcfuzzError, match="nodes; Alt-Ergo's form is written up to 100000"):
        print_alt_ergo(stated)


def test_conversions_are_functions_with_axioms_because_the_language_lacks_them() -> None:
    text = print_alt_ergo(
        problem("(declare-const r Real)(declare-const floor_of Int)(assert (= (to_int r) floor_of))(assert (is_int r))")
    )
    lines = text.splitlines()
    assert lines[2:4] == ["logic real_of : int -> real", "logic floor_of : real -> int"]
    assert lines[-2:] == [
        "axiom axiom_0 : (floor_of(r) = floor_of_1)",
        "goal goal_0 : not (real_of(floor_of(r)) = r)",
    ]
    assert "real_of" not in print_alt_ergo(problem("(declare-const r Real)(assert (< r 0.0))"))


def test_a_tester_of_the_only_constructor_is_true() -> None:
    text = print_alt_ergo(
        problem("(declare-datatypes ((T 0)) (((A (f Int)))))(declare-const x T)(assert ((_ is A) x))(check-sat)")
    )
    assert text.splitlines()[-1] == "goal goal_0 : not true"
