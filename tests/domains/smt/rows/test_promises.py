"""Rows for SMT problems: their promises, judged by two solvers, and properties of every result."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from chcfuzz.domains.smt.rows.registry import rows
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading import parse
from chcfuzz.mutators.mutation import Promise

from tests.domains.smt.rows.judge import Draw, Judgment, answer, draw, draws, judge
from tests.domains.smt.rows.problems import PROBLEMS


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("few", id="few"),
        pytest.param("all", id="all", marks=pytest.mark.slow),
        pytest.param("many", id="many", marks=[pytest.mark.slow, pytest.mark.exhaustive]),
    ],
)
def drawn(request: pytest.FixtureRequest) -> Sequence[Draw]:
    if request.param == "many":
        return list(draws(rows(), PROBLEMS, range(6, 12)))
    found = list(draws(rows(), PROBLEMS, range(1, 2)))
    return found if request.param == "all" else list(few_of_each_row(found))


def few_of_each_row(drawn: Sequence[Draw]) -> Iterator[Draw]:
    """Yield three to five draws of each row, or fewer if it has fewer, spread over the problems."""
    by_row: dict[str, list[Draw]] = {}
    for each in drawn:
        by_row.setdefault(each.row.id, []).append(each)
    for found in by_row.values():
        yield from found[:: -(-len(found) // 5)]


def test_the_problems_have_the_answers_in_their_names() -> None:
    answers = {name: answer(problem) for name, problem in PROBLEMS.items()}
    assert answers == {name: "unsat" if name.endswith("unsat") else "sat" for name in PROBLEMS}


def test_every_row_changes_some_problem(drawn: Sequence[Draw]) -> None:
    assert {row.id for row in rows()} == {each.row.id for each in drawn}


def test_a_row_that_changes_a_problem_applies_to_it(drawn: Sequence[Draw]) -> None:
    assert not [str(each) for each in drawn if not each.row.applies(each.before)]


def test_a_result_is_never_equal_to_what_it_was_made_from(drawn: Sequence[Draw]) -> None:
    assert not [str(each) for each in drawn if each.after == each.before]


def test_every_result_reads_back_as_itself(drawn: Sequence[Draw]) -> None:
    assert not [str(each) for each in drawn if parse.problem(print_problem(each.after)) != each.after.in_its_form]


def test_the_same_choices_give_the_same_result_in_any_order() -> None:
    all_of_them = [(row, name, problem) for row in rows() for name, problem in PROBLEMS.items()]
    once = [draw(*each, 1) for each in all_of_them]
    again = [draw(*each, 1) for each in reversed(all_of_them)]
    assert once == again[::-1]


def test_no_promise_is_broken(drawn: Sequence[Draw]) -> None:
    output = Counter[Judgment]()
    for each in drawn:
        if each.row.promise is not Promise.NOTHING:
            judgment = judge(each)
            assert judgment is not Judgment.BROKEN, str(each)
            if each.row.promise is Promise.EQUIVALENT or each.row.promise.expected(answer(each.before)):
                output[judgment] += 1
    assert output[Judgment.KEPT] > 100
    assert output[Judgment.OPEN] <= 0.05 * output.total()
