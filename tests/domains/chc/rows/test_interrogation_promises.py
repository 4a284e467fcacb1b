"""Promised answers of systems with witnesses put back, judged by Spacer with its defaults, cvc5 and the evaluator."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from chcfuzz.domains.chc.oracles.witnesses import model_of, refutation_of
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_datatypes, print_system, print_term
from chcfuzz.grammar.printing.witness import plugged
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Term, negation
from chcfuzz.mutators.mutation import Promise

from tests.domains.chc.rows.test_interrogation import (
    OF_MODEL,
    OF_REFUTATION,
    ROWS,
    SAFE,
    START,
    STEP,
    UNSAFE,
    spacer_answer,
    system,
)


@dataclass(frozen=True)
class Struck:
    """A seed of the corpus before and after a row changed it."""

    row: str
    name: str
    before: System
    after: System

    def __str__(self) -> str:
        return f"{self.row} on {self.name}:\n{print_system(self.before)}\n{print_system(self.after)}"


@pytest.fixture(
    scope="module", params=[pytest.param(False, id="few"), pytest.param(True, id="all", marks=pytest.mark.slow)]
)
def changed_rows(
    request: pytest.FixtureRequest, texts: dict[str, str], small_texts: dict[str, str]
) -> Sequence[Struck]:
    """Every row on every seed it applies to: on a few with some choices, on all with one."""
    found = []
    for name, text in (texts if request.param else small_texts).items():
        seed = parse(text, name)
        for row_name, row in ROWS.items():
            for attempt in (1,) if request.param else range(3):
                choices = hashlib.shake_128(f"{row.id} {name} {attempt}".encode()).digest(64) if attempt else b""
                after = row.rewrite(seed, Choices(choices))
                if after is not None:
                    found.append(Struck(row_name, name, seed, after))
    return found


def cvc5_answer(declared: System, claims: Sequence[Term]) -> list[str]:
    """cvc5's answers to claims over the data types of a system, one a claim."""
    from chcfuzz.oracles import second_solver

    lines = [*map(print_datatypes, declared.datatypes)]
    lines += [f"(push 1)\n(assert {print_term(claim)})\n(check-sat)\n(pop 1)" for claim in claims]
    return list(second_solver.answers("\n".join(lines)))


@pytest.mark.slow
def test_every_row_changes_most_seeds_of_its_status(changed_rows: Sequence[Struck]) -> None:
    by_row = {row: {each.name for each in changed_rows if each.row == row} for row in ROWS}
    sat = {name for row in OF_MODEL for name in by_row[row]}
    unsat = {name for row in OF_REFUTATION for name in by_row[row]}
    assert len(sat) > 10
    assert len(unsat) > 10
    for row in OF_MODEL:
        assert len(by_row[row]) > 0.7 * len(sat), row
    for row in OF_REFUTATION:
        assert len(by_row[row]) > 0.3 * len(unsat), row


def test_every_result_is_a_system_of_ours_and_another_one(changed_rows: Sequence[Struck]) -> None:
    for each in changed_rows:
        assert each.after != each.before, str(each)
        assert parse(print_system(each.after)) == each.after, str(each)
        assert (each.after.info, each.after.options) == (each.before.info, each.before.options)
        assert (each.after.predicates, each.after.datatypes) == (each.before.predicates, each.before.datatypes)
        assert ROWS[each.row].applies(each.before)
        for clause in each.after.clauses:
            assert clause.reading is not None


def test_all_rows_promise_the_answer() -> None:
    assert {row.promise for row in ROWS.values()} == {Promise.EQUISATISFIABLE}


@pytest.mark.slow
def test_spacer_with_its_defaults_keeps_the_promises(changed_rows: Sequence[Struck]) -> None:
    answers: Counter[str] = Counter()
    for each in changed_rows:
        answer = spacer_answer(each.after)
        assert answer in (each.before.status, "unknown"), f"{answer}: {each}"
        answers[answer] += 1
    assert answers["unknown"] <= 0.03 * answers.total()
    assert min(answers["sat"], answers["unsat"]) > 50


@pytest.mark.slow
def test_the_model_is_one_of_each_result_for_cvc5(changed_rows: Sequence[Struck]) -> None:
    """cvc5 proves the new clauses, independently of Spacer and Z3."""
    answers: Counter[str] = Counter()
    for name in dict.fromkeys(each.name for each in changed_rows if each.row in OF_MODEL):
        here = [each for each in changed_rows if each.name == name]
        model = model_of(here[0].before)
        assert model is not None
        new = {clause.formula: each for each in here for clause in set(each.after.clauses) - set(each.before.clauses)}
        output = cvc5_answer(here[0].before, [negation(plugged(formula, model)) for formula in new])
        for answer, each in zip(output, new.values(), strict=False):
            assert answer != "sat", str(each)
        answers.update(output)
        answers["none"] += len(new) - len(output)
    assert answers["unsat"] > 50
    assert answers["unsat"] >= 0.9 * answers.total()


@pytest.mark.slow
def test_each_result_of_a_refutation_has_a_refutation_of_its_own(changed_rows: Sequence[Struck]) -> None:
    """Searched again, and checked by our evaluator."""
    found = Counter(refutation_of(each.after) is not None for each in changed_rows if each.row in OF_REFUTATION)
    assert found[True] > 50
    assert found[True] >= 0.95 * found.total()


def test_the_judges_see_a_broken_promise() -> None:
    sat, unsat = system(START, STEP, SAFE), system(START, STEP, UNSAFE)
    assert (spacer_answer(sat), spacer_answer(unsat)) == ("sat", "unsat")
    model = model_of(sat)
    assert model is not None
    claims = [negation(plugged(clause.formula, model)) for clause in (*sat.clauses, unsat.clauses[2])]
    assert cvc5_answer(sat, claims) == ["unsat", "unsat", "unsat", "sat"]
    assert refutation_of(sat) is None
