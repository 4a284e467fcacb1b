"""Interpolation problems as CHC systems, and unrollings of CHC systems as interpolation problems."""

from __future__ import annotations

from pathlib import Path

import pytest
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.cuts_as_horn import to_horn, to_system
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.interpolation.unrolling import from_system
from chcfuzz.grammar.printing.printer import print_problem, print_system, print_term
from chcfuzz.grammar.reading.declarations import Definition
from chcfuzz.grammar.reading.parse import parse, parse_term
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Variable

CORPUS = Path(__file__).parents[3] / "corpus"
PAIR = """(set-logic ALL)
(declare-fun V (Int) Int)
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun z () Int)
(assert (! (= (V x) 2) :interpolation-group g0))
(assert (! (> y (V 3)) :interpolation-group g0))
(assert (! (and (= x z) (= z 3)) :interpolation-group g1))
(assert (! (< y 2) :interpolation-group g1))
(assert (! (forall ((x!1 Int)) (> (V x!1) 0)) :interpolation-group axiom))
"""


def _answer(interpolation: Interpolation) -> str:
    import z3

    solver = z3.Solver()
    solver.from_string(print_problem(interpolation.problem))
    return str(solver.check())


def _loop(bound: int) -> System:
    return parse(f"""(declare-fun at (Int Int) Bool)
    (assert (forall ((x Int)) (=> (= x 0) (at x 0))))
    (assert (forall ((x Int) (n Int)) (=> (at x n) (at (+ x 2) (+ n 1)))))
    (assert (forall ((x Int) (n Int)) (=> (and (at x n) (= x {bound})) false)))""")


def test_a_predicate_is_about_the_shared_symbols_and_functions_are_arrays() -> None:
    horn = to_horn(read(PAIR))
    assert [[each.name for each in functions] for functions in horn.arguments] == [["V", "x", "y"]]
    assert [str(sort) for sort in horn.predicates[0].parameters] == ["(Array Int Int)", "Int", "Int"]
    assert parse(print_system(horn.system)) == horn.system
    first, last = horn.system.clauses
    assert [each.name for each in first.variables] == ["V", "x", "y"]
    assert "(forall ((x!1 Int)) (> (select V x!1) 0))" in print_term(last.formula)


def test_a_definition_of_the_predicate_is_an_interpolant_over_functions() -> None:
    stated = read(PAIR)
    horn = to_horn(stated)
    (parameters,) = [system_clause.variables for system_clause in horn.system.clauses[:1]]
    readable = parse_term("(and (> y (select V 3)) (= (select V x) 2))", parameters)
    interpolant = horn.interpolant(0, Definition(parameters, readable))
    assert interpolant is parse_term("(and (> y (V 3)) (= (V x) 2))", (), stated)
    whole = parse_term("(= V (store V x 2))", parameters)
    assert horn.interpolant(0, Definition(parameters, whole)) is None


def test_a_bound_variable_with_the_name_of_a_parameter_stays_in_an_interpolant() -> None:
    horn = to_horn(read(PAIR))
    parameters = tuple(map(Variable, "ABC", horn.predicates[0].parameters))
    body = parse_term("(and (< B 3) (exists ((B Int)) (> B C)))", parameters)
    interpolant = horn.interpolant(0, Definition(parameters, body))
    assert interpolant is not None
    assert print_term(interpolant) == "(and (< x 3) (exists ((B!1 Int)) (> B!1 y)))"


def test_a_predicate_does_not_have_the_name_of_a_constructor() -> None:
    text = """(declare-datatype D ((I0) (I1 (f Int))))(declare-const x D)
    (assert (! ((_ is I1) x) :interpolation-group g0))(assert (! (= x I0) :interpolation-group g1))"""
    system = to_system(read(text))
    assert [predicate.name for predicate in system.predicates] == ["I0!1"]
    assert parse(print_system(system)) == system


def test_uninterpreted_sorts_have_no_system() -> None:
    text = """(declare-sort U 0)(declare-const u U)
    (assert (! (= u u) :interpolation-group g0))(assert (! (distinct u u) :interpolation-group g1))"""
    with pytest.raises(ChcfuzzError, match="the sort U is uninterpreted"):
        to_system(read(text))


def test_the_unrolling_of_a_linear_system_is_a_sequence_with_a_step_a_group() -> None:
    unrolled = from_system(_loop(bound=7), 5)
    assert unrolled.parents == ()
    assert unrolled.cuts == 5
    assert _answer(unrolled) == "unsat"
    assert all(len(unrolled.shared(cut)) == 3 for cut in range(5))
    assert read(printed(unrolled)) == unrolled


def test_an_unrolling_is_satisfiable_from_the_depth_of_a_derivation_on() -> None:
    assert [_answer(from_system(_loop(bound=6), depth)) for depth in (3, 4, 5)] == ["unsat", "sat", "sat"]


def test_an_unrolling_of_any_depth_that_is_too_large_is_refused() -> None:
    for depth in (300, 100_000):
        with pytest.raises(ChcfuzzError, match="unroll to a lower depth"):
            from_system(_loop(bound=7), depth)


@pytest.mark.parametrize("name", ["lia-nonlinear/nim-safe", "bv/recursive-parity-safe", "arrays/swap-safe"])
def test_unrollings_of_satisfiable_systems_are_unsatisfiable(name: str) -> None:
    system = parse((CORPUS / f"{name}.smt2").read_text())
    for depth in (1, 3):
        unrolled = from_system(system, depth)
        assert unrolled.status == "unsat"
        assert _answer(unrolled) == "unsat"
        assert read(printed(unrolled)) == unrolled
        assert len(to_system(unrolled).predicates) == unrolled.cuts


def test_a_clause_with_two_predicates_makes_a_tree() -> None:
    unrolled = from_system(parse((CORPUS / "lia-nonlinear/inc-twice-safe.smt2").read_text()), 2)
    assert unrolled.is_tree
    assert any(len(unrolled.children(group)) == 2 for group in range(unrolled.cuts + 1))


def test_facts_on_different_branches_of_an_unrolling_may_differ() -> None:
    system = parse(
        """(set-logic HORN)(declare-fun a (Int) Bool)(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)
        (assert (a 0))(assert (a 1))
        (assert (forall ((x Int)) (=> (a x) (p x))))(assert (forall ((x Int)) (=> (a x) (q x))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (q y) (= x 0) (= y 1)) false)))"""
    )
    assert _answer(from_system(system, 2)) == "sat"


def test_an_unrolling_that_would_be_too_large_is_refused() -> None:
    system = parse((CORPUS / "lia-nonlinear/nim-safe.smt2").read_text())
    with pytest.raises(ChcfuzzError, match="more than 200 nodes"):
        from_system(system, 30)
