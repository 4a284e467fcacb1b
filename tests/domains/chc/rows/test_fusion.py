"""Systems joined with generated ones: positions of clauses, names, and conversion of witnesses."""

import pytest
from chcfuzz.domains.chc.rows import fusion
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, Predicate

from tests.mutators.judge import Judgment, carries_model, carries_refutation, draw, promise

ROWS = {row.id.partition(".")[2]: row for row in fusion.MUTATIONS if not row.takes_system}
SAFE = parse(
    """(set-logic HORN)(declare-fun p0 (Int) Bool)(declare-fun reached (Int) Bool)(declare-fun x0 (Int) Bool)
    (assert (p0 0))
    (assert (forall ((x Int)) (=> (and (p0 x) (< x 5)) (p0 (+ x 1)))))
    (assert (forall ((x Int)) (=> (p0 x) (reached x))))
    (assert (forall ((x Int)) (=> (and (reached x) (x0 x)) (> x 7))))"""
)
UNSAFE = parse(print_system(SAFE).replace("(> x 7)", "(> x 3)").replace("(and (reached x) (x0 x))", "(reached x)"))
EMPTY = parse("(set-logic HORN)(declare-fun p () Bool)")


def joined(name: str, number: int, system: System = SAFE) -> System:
    found = draw(ROWS[name], "fusion", system, number)
    assert found is not None
    return found.after


@pytest.mark.parametrize("name", ROWS)
def test_some_bodies_ask_for_one_new_predicate_and_nothing_else_changes(name: str) -> None:
    for number in range(12):
        after = joined(name, number)
        new = after.predicates[len(SAFE.predicates) :]
        assert after.predicates[: len(SAFE.predicates)] == SAFE.predicates
        old = [clause for clause in after.clauses if _is_old(clause, new)]
        asking = [clause for clause in old if any(atom.predicate in new for atom in clause.atoms)]
        assert 1 <= len(asking) <= 3
        assert len(old) == len(SAFE.clauses)
        assert [clause for clause in old if clause not in asking] == [c for c in SAFE.clauses if c in old]
        queries = {atom.predicate for clause in asking for atom in clause.atoms if atom.predicate in new}
        assert len(queries) == 1


def _is_old(clause: Clause, new: tuple[Predicate, ...]) -> bool:
    """Whether a predicate that was there before occurs in it."""
    return any(isinstance(term, Atom) and term.predicate not in new for term in (clause.head, *clause.atoms))


@pytest.mark.parametrize("name", ROWS)
def test_names_do_not_clash_and_all_reads_back(name: str) -> None:
    for number in range(12):
        after = joined(name, number)
        names = [predicate.name for predicate in after.predicates]
        assert len(set(names)) == len(names)
        assert parse(print_system(after)) == after


def test_the_reached_predicate_replaces_false() -> None:
    for number in range(12):
        after = joined("after", number)
        assert after.predicates[-1].name.startswith("reached!")
        assert sum(clause.is_query for clause in after.clauses) == sum(clause.is_query for clause in SAFE.clauses)


@pytest.mark.parametrize("name", ROWS)
def test_a_system_without_clauses_is_declined(name: str) -> None:
    assert not ROWS[name].applies(EMPTY)
    assert ROWS[name].rewrite(EMPTY, Choices(b"")) is None


@pytest.mark.parametrize("name", ROWS)
def test_the_answer_stays_and_witnesses_are_converted(name: str) -> None:
    kept = 0
    for number in range(3):
        for system in (SAFE, UNSAFE):
            found = draw(ROWS[name], "fusion", system, number)
            assert found is not None
            result = [promise(found), carries_model(found), carries_refutation(found)]
            assert Judgment.BROKEN not in result, str(found)
            kept += result.count(Judgment.KEPT)
    assert kept >= 8
