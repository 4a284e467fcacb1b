"""The toy theory in every part of the project; `test_counters.py` runs this in a process of its own."""

from contextlib import suppress

import pytest
from chcfuzz.domains.smt.passes import shrink, single_edits
from chcfuzz.domains.smt.rows.registry import rows
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.errors import ChcfuzzError, LimitError
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import Structure, judge
from chcfuzz.grammar.printing.dialects import print_for
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.sorts import BOOL, INT
from chcfuzz.grammar.terms import Apply, Value, Variable, subterms
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.formula_model import FormulaModel
from chcfuzz.learning.places import numbers_of
from chcfuzz.learning.productions import sequence
from chcfuzz.learning.vocabulary import words
from chcfuzz.learning.weighted_drawing import ModelDrawing
from chcfuzz.triage.shrink.search import one_by_one

from tests.grammar.drawing.test_draw import stream
from tests.grammar.theories.counters import THEORY, counter

C = counter(7)
A, B, N = Variable("a", C), Variable("b", C), Variable("n", INT)
DECLARED = "(declare-const c (_ Counter 7))"


def term(text: str) -> str:
    return print_term(parse.parse_term(text, [A, B, N]))


def value(text: str) -> object:
    return evaluate(parse.parse_term(text, [A, B, N]), {A: 5, B: 3})


def test_a_problem_is_read_and_printed() -> None:
    stated = parse.problem(DECLARED + "(assert (count.<= (count.add c (_ count5 7)) (count.twice c)))")
    assert "(count.<= (count.add c (_ count5 7)) (count.add c c))" in print_problem(stated)
    assert "(declare-fun c () (_ Counter 7))" in print_problem(stated)
    assert parse.problem(print_problem(stated)) == stated
    assert term("(count.plus a b)") == "(count.add a b)"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("(assert (count.<= (_ count1 7) (_ count1 6)))", "is not defined on"),
        ("(assert (= (_ count8 7) (_ count1 7)))", "above the bound 7"),
        ("(declare-const c (_ Counter 0))", "counts to 1 at least"),
        ("(declare-const c Counter)", "unknown sort"),
        ("(declare-sort Counter 0)", "exists already"),
        ("(declare-const count.add Int)", "has a meaning already"),
    ],
)
def test_a_wrong_text_is_refused(text: str, error: str) -> None:
    with pytest.raises(ChcfuzzError, match=error):
        parse.problem(text)


def test_names_that_solvers_take_are_changed() -> None:
    assert "counter!" in print_problem(parse.problem("(declare-const counter Int)(assert (= counter 1))"))


def test_terms_have_values() -> None:
    assert value("(count.add a b)") == 7
    assert value("(count.down (count.down (_ count1 7)))") == 0
    assert value("(+ (count.number a) 1)") == 6
    assert value("(forall ((x (_ Counter 7))) (count.<= x (_ count7 7)))") is True
    assert value("(exists ((x (_ Counter 7))) (= (count.number x) 8))") is False
    stated = parse.problem("(assert (exists ((x (_ Counter 7))) (= (count.number x) 7)))")
    assert judge(stated, Structure({})) == (True,)


def test_a_printed_model_is_read() -> None:
    stated = parse.problem(DECLARED + "(assert (= (count.number c) 5))")
    for number, is_model in ((5, True), (4, False)):
        model = read_model(f"((define-fun c () (_ Counter 7) (_ count{number} 7)))", stated)
        assert judge(stated, model) == (is_model,)


def test_no_solver_gets_a_text() -> None:
    stated = parse.problem(DECLARED + "(assert (= c c))")
    assert "Counter" in print_for(stated, "smtlib")
    with pytest.raises(ChcfuzzError, match="z3 does not have the sort Counter; its readers are smtlib"):
        print_for(stated, "z3")


def operators(*terms: Apply) -> set[str]:
    return {here.operator for term in terms for here in subterms(term) if isinstance(here, Apply)}


def test_every_operator_is_drawn() -> None:
    drawing = Drawing(DrawingScope((A, B, N), (), ()))
    drawn = [drawing.term(sort, stream(n), 12) for sort in (BOOL, INT, C) for n in range(150)]
    assert {each.name for each in THEORY.operators} <= operators(*drawn)  # type: ignore[arg-type]
    for each in drawn:
        assert parse.parse_term(print_term(each), [A, B, N]) is each
    assert any(isinstance(here, Value) and here.sort is C for each in drawn for here in subterms(each))


def test_a_problem_is_reduced() -> None:
    text = DECLARED + "(assert (and (count.<= (count.add c (_ count6 7)) (count.down c)) (= (count.number c) 5)))"

    def passes(problem: Problem) -> bool:
        return "count.<=" in print_problem(problem)

    *_, last = shrink(parse.problem(text), one_by_one(passes), lambda _: None)
    assert print_term(last.system.formulas[0]) == "(count.<= (_ count0 7) (_ count0 7))"


def test_members_of_an_operator_are_removed() -> None:
    stated = parse.problem(DECLARED + "(assert (count.<= (count.add c c (_ count2 7)) c))")
    found = {print_term(each.formulas[0]) for name, each in single_edits(stated) if name.startswith("drop members")}
    assert found == {"(count.<= (count.add c (_ count2 7)) c)", "(count.<= (count.add c c) c)"}


def test_a_model_learns_the_operators() -> None:
    assert {"count.add.2", "count.add.more", "count.down.1", "count.<=.2", "count.number.1"} <= {*words()}
    stated = parse.problem(DECLARED + "(assert (count.<= (count.add c (_ count1 7)) (count.add c c c)))")
    model = FormulaModel(Counts.of(numbers_of(sequence(stated))).scaled(1000))
    drawing = ModelDrawing(DrawingScope((A, B, N), (), ()), model)
    drawn = [drawing.formula(stream(n), 12) for n in range(100)]
    often = [each for each in drawn if isinstance(each, Apply) and each.operator == "count.<="]
    assert len(often) > 50
    assert any("count.add" in operators(each) for each in often)


def test_every_row_for_smt_problems_makes_problems_with_counters() -> None:
    stated = parse.problem(
        f"{DECLARED}(declare-const d (_ Counter 7))(declare-fun f ((_ Counter 7)) (_ Counter 7))(declare-const x Int)"
        "(assert (and (count.<= (count.add c (_ count2 7)) (f d)) (= (count.number c) (+ x 3))))"
        "(assert (forall ((y (_ Counter 7))) (or (= y c) (< x 4) (= (ite (< x 3) y d) (_ count1 7)))))"
    )
    found = 0
    for row in (row for row in rows() if row.applies(stated)):
        mutant = None
        with suppress(LimitError):  # as chains do
            mutant = row.rewrite(stated, stream(1))
        if mutant is not None:
            found += 1
            assert parse.problem(print_problem(mutant)) == mutant.in_its_form, row.id
    assert found > 50
