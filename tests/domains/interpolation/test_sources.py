"""Interpolation problems from SMT problems and CHC systems, and over other sorts."""

import pytest
import z3
from chcfuzz.domains.interpolation.roots import InterpolationRoots
from chcfuzz.domains.interpolation.sources import FUNCTIONS, REALS, stated
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.printer import print_problem

NUMBERS = """(set-info :status unsat)(declare-const x Int)(declare-const y Int)
(assert (< x y))(assert (< y (+ x 1)))(assert (= (* 2 x) 4))
"""
ARRAYS = """(set-info :status unsat)(declare-const a (Array Int Int))(declare-const i Int)
(declare-const b (Array Int Int))
(assert (= b (store a i 5)))(assert (= i 7))(assert (< (select b 7) 5))
"""
SYSTEM = """(set-logic HORN)(set-info :status sat)(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(assert (forall ((x Int)) (=> (P x) (P (+ x 2)))))
(assert (forall ((x Int)) (=> (and (P x) (= x 1)) false)))
"""


def answer(problem: Interpolation) -> str:
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", 1_000_000)
    solver.from_string(print_problem(problem.problem.with_header((), ())))
    return str(solver.check())


def test_a_text_with_groups_is_that_problem() -> None:
    (problem,) = stated("(assert (! true :interpolation-group g0))(assert (! false :interpolation-group g1))", "text")
    assert stated(printed(problem), "again") == (problem,)


def test_the_queries_of_a_script_state_its_problems() -> None:
    script = NUMBERS.replace("(assert (< x y))", "(assert (! (< x y) :named A))") + "(check-sat)(get-interpolants)"
    assert [problem.cuts for problem in stated(script, "one query")] == [2]
    assert stated(NUMBERS + "; (get-interpolants)", "a comment")[0].status == "unsat"


def test_splits_of_an_unsat_problem_have_its_assertions() -> None:
    found = stated(NUMBERS, "numbers")
    assert len(set(found)) == len(found) > 1
    assert all(problem.cuts and answer(problem) == "unsat" and problem.status == "unsat" for problem in found)
    assert found == stated(NUMBERS, "the draws depend on the text alone")


def test_ints_are_read_as_reals_without_a_status() -> None:
    found = stated(NUMBERS, "numbers", (REALS,))
    assert {answer(problem) for problem in found} == {"sat"}  # 2 < y < 3
    assert all("Int" not in printed(problem) and problem.status is None for problem in found)


def test_arrays_are_read_as_functions_with_two_axioms() -> None:
    for problem in stated(ARRAYS, "arrays", (FUNCTIONS,)):
        assert "Array" not in printed(problem)
        assert len(problem.axioms) == 2
        assert read(printed(problem)) == problem
        assert answer(problem) == "unsat"


def test_functions_for_arrays_do_not_have_the_name_of_a_bound_variable() -> None:
    text = ARRAYS + "(assert (forall ((read0 Int)) (or (= (select a read0) 0) (= read0 i))))"
    for problem in stated(text, "arrays", (FUNCTIONS,)):
        assert read(printed(problem)) == problem
        assert answer(problem) == "unsat"


def test_a_problem_with_integer_division_stays_over_ints() -> None:
    text = NUMBERS.replace("(* 2 x)", "(div x 2)")
    assert stated(text, "division", (REALS,)) == stated(text, "division")


def test_unrollings_of_a_system_have_a_group_for_each_step() -> None:
    found = stated(SYSTEM, "system")
    assert [problem.cuts for problem in found] == [1, 2, 3]
    assert {answer(problem) for problem in found} == {"unsat"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (NUMBERS.replace("unsat", "sat"), "a satisfiable problem has no interpolants"),
        ("(declare-const x Int)(assert (< x x))", "one conjunct: a split needs two"),
        (SYSTEM.replace("status sat", "status unsat"), "an unsatisfiable system has unrollings with models"),
    ],
)
def test_a_text_without_interpolants_is_refused(text: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        stated(text, "text")


def test_a_chc_system_is_unrolled_however_its_logic_is_written() -> None:
    text = """(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (= x 0) (p x))))
    (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))(check-sat)"""
    plain = stated(text, "a")
    assert stated(text.replace("(set-logic HORN)", "(set-logic\n  HORN)"), "a") == plain
    assert len(plain[0].groups) == 2


def test_all_queries_but_the_last_are_named_as_left_out() -> None:
    roots, start = InterpolationRoots(), NUMBERS + "(check-sat)(get-interpolants)"
    assert roots.left_out(start, "one query") == ()
    (earlier,) = roots.left_out(
        start + "(assert (> x 7))(check-sat)(get-interpolants)(get-interpolant I (> x 0))", "two"
    )
    assert (earlier.command, earlier.matters) == ("(get-interpolants)", False)
    assert earlier.reason == "the last query alone is run; import reads each"
    bounds = "((Start Bool)) ((Start Bool (true)))"
    (bounded,) = roots.left_out(f"{NUMBERS}(get-interpolant I (> x 0) {bounds})", "a grammar")
    assert bounded.reason == "its grammar is left out"
    (unread,) = roots.left_out(start + "(get-interpolant-next)", "another one")
    assert unread.reason == "this query is not run"
