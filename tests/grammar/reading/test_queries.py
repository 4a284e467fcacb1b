"""Queries of a script: those behind a check stay with it, in every form of the problem."""

from dataclasses import replace

import pytest
from chcfuzz.domains.smt.rows.names import MUTATIONS
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.form import KINDS, ONCE, TWICE, Checks
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.parse import checks, left_out, problem
from chcfuzz.grammar.reading.problem_script import ProblemScript
from chcfuzz.grammar.symbols import quoted

START = "(declare-const x Int)(declare-fun f (Int) Int)(assert (! (> (f x) 0) :named large))"
TEXT = f"""(set-option :produce-unsat-cores true){START}(push 1)(assert (< x 0))(check-sat)(echo "first")
(get-value (x large))(get-info :reason-unknown)(pop 1)(check-sat)
(get-model)(get-value ((f (f x)) (let ((y x)) (+ y 1))))(get-unsat-core)(get-assignment)"""


def behind(stated: Problem) -> list[str]:
    text = print_problem(stated)
    return text[text.rindex("(check-sat") :].splitlines()[1:]


def test_queries_stay_behind_their_check() -> None:
    stated = problem(TEXT)
    assert behind(stated) == [
        "(get-model)",
        "(get-value ((f (f x)) (+ x 1)))",
        "(get-unsat-core)",
        "(get-assignment)",
    ]
    text = print_problem(stated)
    assert "(check-sat)\n(get-value (x (> (f x) 0)))\n(get-info :reason-unknown)\n(pop 1)" in text
    assert text.startswith(
        """(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-option :produce-assignments true)
"""
    )
    assert problem(text) == stated


def test_each_check_of_a_script_has_its_own_queries() -> None:
    words = [[query.word for query in each.form.queries] for each in checks(TEXT)]
    assert words == [
        ["get-value", "get-info :reason-unknown"],
        ["get-model", "get-value", "get-unsat-core", "get-assignment"],
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_queries_are_behind_the_last_check_of_every_form(kind: str) -> None:
    stated = problem(f"{START}(assert (< x 9))(check-sat)(get-value (x))")
    other = replace(stated, form=replace(stated.form, checks=Checks(kind, int(kind not in (ONCE, TWICE)))))
    assert behind(other) == ["(get-value (x))"]
    assert problem(print_problem(other)) == other


def test_names_of_rows_reach_the_queries() -> None:
    stated = problem(f"{START}(check-sat)(get-value (x (f 2)))")
    rename = next(row for row in MUTATIONS if row.id == "smt_names.rename-function")
    for seed in range(4):
        renamed = rename.rewrite(stated, Choices(b"", bytes([seed])))
        assert renamed is not None
        names = [quoted(each.name) for each in renamed.functions]
        (query,) = behind(renamed)
        assert query == f"(get-value ({names[0]} ({names[1]} 2)))"


def test_a_term_without_its_declaration_leaves_its_query() -> None:
    stated = problem(f"{START}(check-sat)(get-value (x (f 2)))(get-value (x))")
    other = replace(stated, functions=stated.functions[1:], assertions=())
    assert behind(other) == ["(get-value ((f 2)))"]
    assert problem(print_problem(other)) == other.in_its_form


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("(get-value ((g x)))", "it is not read: unknown operator"),
        ("(get-value ())", "it is not read: get-value takes a list of terms"),
        ("(get-option :x)", "it prints, and states nothing"),
        ("(get-interpolants large)", "it is run with --domain interpolation"),
        ("(get-interpolant-next)", "this query is not run"),
        ("(get-abduct A (> x 3))", "this query is not run"),
        ("(get-value (x))" * 101, "more than 100 queries"),
        ("(assert (> x 2))(get-value (x))", "it prints, and states nothing"),
    ],
)
def test_queries_that_are_not_kept_are_named(query: str, reason: str) -> None:
    text = f"{START}(check-sat){query}"
    assert len(problem(text).form.queries) in (0, 100)
    assert any(found.reason.startswith(reason) for found in left_out(ProblemScript("x"), text))
