"""The rows of part problems keep a question that makes sense, and a model that is one."""

from contextlib import suppress

import pytest
from chcfuzz.domains.parts.drawing import drawn_question_problem, theories_of
from chcfuzz.domains.parts.question import PARTS, PartProblem
from chcfuzz.domains.parts.question_text import printed, read
from chcfuzz.domains.parts.rows.questions import mutations
from chcfuzz.domains.parts.rows.registry import registry, rows
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.small_formulas.assignments import is_model
from chcfuzz.grammar.small_formulas.templates import THEORIES
from chcfuzz.mutators.mutation import Mutation, Promise

OWN = mutations()
PROBLEMS = [drawn_question_problem(Choices(b"", b"row %d" % number), part) for number, part in enumerate(PARTS)]


def mutants(row: Mutation, problem: PartProblem, count: int = 4) -> list[PartProblem]:
    found = []
    for number in range(count if row.applies(problem) else 0):
        with suppress(LimitError):  # as in a chain: nothing is changed
            found.append(row.rewrite(problem, Choices(b"", b"%d" % number)))
    return [mutant for mutant in found if mutant is not None]


def check(before: PartProblem, mutant: PartProblem) -> None:
    assert isinstance(mutant, PartProblem)
    assert mutant.is_askable
    assert is_model(mutant, dict(mutant.question.model)) or not mutant.question.model
    assert bool(mutant.question.model) == bool(before.question.model) or not mutant.question.kind.needs_model
    assert read(printed(mutant)) == mutant


@pytest.mark.parametrize("row", OWN, ids=lambda row: row.id)
def test_a_row_changes_a_question_and_keeps_its_model(row: Mutation) -> None:
    found = [(problem, mutant) for problem in PROBLEMS for mutant in mutants(row, problem)]
    assert found
    for problem, mutant in found:
        assert mutant != problem
        check(problem, mutant)


@pytest.mark.parametrize("row", OWN, ids=lambda row: row.id)
def test_a_row_declines_a_question_to_which_it_does_not_apply(row: Mutation) -> None:
    others = [problem for problem in PROBLEMS if not row.applies(problem)]
    assert [row.rewrite(problem, Choices(b"", b"other")) for problem in others] == [None] * len(others)


@pytest.mark.parametrize("row", [row for row in rows() if row not in OWN][::9], ids=lambda row: row.id)
def test_rows_for_smt_problems_keep_the_model(row: Mutation) -> None:
    for problem in PROBLEMS[::5]:
        for mutant in mutants(row, problem, 1):
            check(problem, mutant)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in rows() if row not in OWN], ids=lambda row: row.id)
def test_all_rows_for_smt_problems_keep_the_model(row: Mutation) -> None:
    for problem in PROBLEMS[::3]:
        for mutant in mutants(row, problem, 2):
            check(problem, mutant)


def test_other_names_are_those_of_the_question() -> None:
    declared = "(declare-const x Int)(declare-const y Int)(assert (< x y))"
    problem = read(f'(set-info :chcfuzz-part "(project (x) ((x 1) (y 2)))"){declared}')
    assert isinstance(problem, PartProblem)
    row = registry().get("smt_names.exchange-functions")
    assert row is not None
    (mutant, *_) = mutants(row, problem)
    assert mutant.question.subjects == ("y",)
    assert dict(mutant.question.model) == {
        "y": dict(problem.question.model)["x"],
        "x": dict(problem.question.model)["y"],
    }


def test_a_drawn_question_keeps_its_theory_and_later_ones_have_a_row_of_their_own() -> None:
    """Units choose a theory by its position among those that their row draws."""
    of_row = {row.id: row for row in OWN}
    (problem,) = (problem for problem in PROBLEMS if problem.question.part == "simplify")
    for row, is_later in ((of_row["parts.drawn"], False), (of_row["parts.drawn-later"], True)):
        drawn = {tuple(mutant.functions) for mutant in mutants(row, problem, 80)}
        theories = theories_of(problem.question.kind, is_later)
        assert drawn == {tuple(parse.problem(THEORIES[theory].declared).functions) for theory in theories}


def test_no_row_promises_an_answer_and_chosen_parts_bound_the_questions() -> None:
    assert all(row.promise in (Promise.EQUIVALENT, Promise.NOTHING) for row in rows())
    row = next(row for row in mutations(["mbp", "project"]) if row.id == "parts.another-part")
    later = next(row for row in mutations(["mbp"]) if row.id == "parts.later-part")
    assert not any(later.applies(problem) for problem in PROBLEMS)
    asked = {mutant.question.part for problem in PROBLEMS for mutant in mutants(row, problem)}
    assert asked <= {"mbp", "project"}
