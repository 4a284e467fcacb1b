"""SMT problems: what is read, what is refused, and that the printed text means the same."""

from __future__ import annotations

import pytest
from chcfuzz.grammar.errors import GrammarError, SortError
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.parse import parse, parse_term, problem
from chcfuzz.grammar.sorts import BOOL, INT, uninterpreted
from chcfuzz.grammar.terms import Apply, Call, Function, integer, subterms

TEXT = """(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort U 0)
(declare-datatypes ((Pair 0)) (((pair (first Int) (second U)))))
(declare-fun f (U Int) U)
(declare-fun |odd name| (U) Bool)
(declare-const c U)
(declare-const n Int)
(define-fun twice ((x Int)) Int (+ x x))
(assert (= (f c (twice n)) c))
(assert (! (|odd name| (second (pair n c))) :named odd))
(assert (forall ((x U)) (=> (|odd name| x) (= (f x n) x))))
(check-sat)
"""


def test_functions_constants_and_sorts_are_read() -> None:
    read = problem(TEXT)
    u = uninterpreted("U")
    assert read.sorts == (u,)
    assert [repr(each) for each in read.functions] == [
        "<f(U, Int): U>",
        "<odd name(U): Bool>",
        "<c(): U>",
        "<n(): Int>",
    ]
    assert [each.name for each in read.assertions] == [None, "odd", None]
    assert read.status == "sat"
    assert read.theories == {"LIA", "ADT", "UF"}
    assert read.nodes == sum(formula.size for formula in read.formulas)


def test_a_call_is_one_object_and_has_no_atoms() -> None:
    f = Function("f", (INT,), INT)
    assert f is Function("f", (INT,), INT)
    assert Call(f, (integer(1),)) is Call(f, (integer(1),))
    assert not Call(f, (integer(1),)).has_atoms
    assert Call(f, (integer(1),)).sort is INT
    assert Call(f, (integer(1),)).rebuild((integer(2),)) is Call(f, (integer(2),))
    with pytest.raises(SortError, match=r"f takes \(Int\), not \(Bool\)"):
        Call(f, (Call(Function("b", (), BOOL)),))


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "(declare-fun p () Bool)(assert p)(check-sat)",
        "(set-logic QF_BV)(declare-const b (_ BitVec 4))(assert (bvult b #xf))",
        "(declare-sort A 0)(declare-fun a () (Array Int A))(assert (= (select a 0) (select a 1)))",
        "(declare-fun f (Int) Int)(assert (let ((x (f 1))) (= (f x) (f (f x)))))",
    ],
)
def test_the_printed_text_is_the_same_problem(text: str) -> None:
    read = problem(text)
    again = problem(print_problem(read))
    assert again == read
    assert print_problem(again) == print_problem(read)


def test_a_sort_with_parameters_is_another_sort_at_each_list_of_arguments() -> None:
    text = """(declare-sort U 0)(declare-sort S 2)(declare-const a (S Int U))(declare-const b (S U Int))
        (declare-fun f ((S Int U)) (S Int U))(assert (= (f a) a))(assert (distinct b b))(check-sat)"""
    read = problem(text)
    assert [sort.name for sort in read.sorts] == ["U", "S<Int,U>", "S<U,Int>"]
    assert read.functions[0].result is read.functions[2].result
    assert problem(print_problem(read)) == read
    with pytest.raises(GrammarError, match="f takes"):
        problem(text.replace("(= (f a) a)", "(= (f b) b)"))


def test_a_bound_variable_may_have_the_name_of_a_function() -> None:
    read = problem("(declare-fun x (Int) Int)(assert (forall ((x Int)) (= x x)))(check-sat)")
    assert problem(print_problem(read)) == read


def test_another_formula_and_another_header() -> None:
    read = problem(TEXT)
    changed = read.with_formula(0, read.assertions[1].formula)
    assert changed.formulas == (read.formulas[1], *read.formulas[1:])
    assert changed.with_formula(0, read.formulas[0]) == read
    assert read.with_header((), ()).status is None


def test_a_term_over_the_symbols_of_a_problem() -> None:
    read = problem(TEXT)
    term = parse_term("(f c 1)", (), read)
    assert isinstance(term, Call)
    assert term.sort is uninterpreted("U")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("(declare-sort S 2)(declare-const x (S Int))(assert true)", "unknown sort"),
        ("(declare-sort S 2)(declare-const x S)(assert true)", "unknown sort"),
        ("(declare-sort Int 0)(assert true)", "a sort of this name exists already"),
        ("(declare-fun f (Int) Int)(assert (f 1))", "an assertion has sort Bool, not Int"),
        ("(declare-fun f (Int) Int)(assert (= (f true) 1))", "f takes"),
        ("(declare-rel p (Int))", "Z3's commands for Horn rules are no part of SMT problems"),
        ("(define-fun-rec f ((x Int)) Int (g x))(assert true)", "unknown operator"),
        ("(check-sat)", "no assertion and no function: this is no SMT problem"),
    ],
)
def test_refusals_have_a_place(text: str, what: str) -> None:
    with pytest.raises(GrammarError) as error:
        problem(text, "file")
    assert what in str(error.value)
    assert str(error.value).startswith("file:1:")


def test_the_reader_of_systems_refuses_the_same_text_as_before() -> None:
    for text, what in (
        ("(declare-sort U 0)", "uninterpreted sorts are no part of CHC systems"),
        ("(declare-fun f (Int) Int)", "only predicates may be declared in a CHC system: the range must be Bool"),
        ("(set-logic QF_LIA)", "not a CHC logic; write (set-logic HORN)"),
        ("(declare-const c Int)(assert (> c 0))", "a free constant, which no Horn clause can state"),
    ):
        with pytest.raises(GrammarError) as error:
            parse(text)
        assert what in str(error.value)


def test_subterms_and_operators_below_calls_are_found() -> None:
    read = problem(TEXT)
    assert isinstance(read, Problem)
    found = [term for term in subterms(*read.formulas) if isinstance(term, Apply) and term.operator == "+"]
    assert len(found) == 1
