"""Clauses that share terms, and that would have far more than a million nodes without `let`, from text to reduction."""

import hashlib

import pytest
from chcfuzz.domains.chc.domain import DOMAIN
from chcfuzz.domains.chc.oracles.derive import derive
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.execution.pipeline import Pipeline, event_source
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System, as_system
from chcfuzz.learning.productions import sequence
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.steps import with_steps
from chcfuzz.triage.shrink.passes import measured, shrink
from chcfuzz.triage.shrink.search import one_by_one

DEPTH = 60


def shared(clause: str, first: str, step: str) -> str:
    """Return a system with a clause around `SHARED`: `first`, and 60 times `step`, where `@` is the term before."""
    lets = "".join(f"(let ((z{n + 1} {step.replace('@', f'z{n}')})) " for n in range(DEPTH))
    term = f"(let ((z0 {first})) {lets}z{DEPTH}{')' * (DEPTH + 1)}"
    return f"""(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)
        (assert (forall ((x Int)) (=> (= x 0) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (q x)) false)))
        (assert (forall ((x Int)) {clause.replace("SHARED", term)}))(check-sat)"""


SYSTEMS = {
    "argument": shared("(=> (p x) (q SHARED))", "(+ x x)", "(+ @ @)"),
    "conjunction": shared("(=> SHARED false)", "(and (p x) (q x))", "(and @ @)"),
    "body": shared("(=> SHARED (q (+ x 7)))", "(and (p x) (q x))", "(or @ (and @ @))"),
    "guard": shared("(=> (and (p x) SHARED) (q x))", "(< x 3)", "(or (not @) (and @ @))"),
    "head": shared("(=> (p x) SHARED)", "(< x 3)", "(or @ @)"),
    "disjunction": shared("(or SHARED (q x))", "(not (p x))", "(or @ @)"),
    "quantifier": shared("(=> SHARED (q x))", "(exists ((y Int)) (and (p y) (< y x)))", "(and @ @)"),
}
EACH = pytest.mark.parametrize("name", SYSTEMS)


@EACH
def test_it_is_read_and_printed_with_lets(name: str) -> None:
    system = parse(SYSTEMS[name])
    text = print_system(system)
    assert len(text) < 2 * len(SYSTEMS[name])
    assert parse(text) == system
    assert all(clause.is_well_formed for clause in system.clauses)
    assert len(sequence(system).nodes) < 1000


def changing(system: System, draws: int) -> int:
    """Return the number of rows that change a system in some draws; every result is read again."""
    rows = set()
    for row in registry(None).mutations:
        for number in range(draws):
            data = hashlib.shake_128(f"{row.id} {number}".encode()).digest(12)
            after = row.rewrite(system, Choices(data[:8], data[8:])) if row.applies(system) else None
            if after is not None:
                rows.add(row.id)
                parse(print_system(as_system(after)))
    return len(rows)


@pytest.mark.slow
@EACH
def test_every_row_ends(name: str) -> None:
    assert changing(parse(SYSTEMS[name]), draws=4) > 100


def test_every_row_ends_on_shared_conjunctions() -> None:
    assert changing(parse(SYSTEMS["conjunction"]), draws=1) > 60


@pytest.mark.parametrize(("name", "status"), [("conjunction", Status.SAT), ("argument", Status.UNSAT)])
def test_its_answer_is_judged(name: str, status: Status) -> None:
    solving = Solving()
    pipeline = Pipeline(solving, lambda: None, with_steps(event_source(solving)))
    execution = pipeline.execute(pipeline.mutant(Recipe(SYSTEMS[name])), 1_000_000)
    assert execution.outcome.status is status
    assert execution.finding is None
    if status is Status.SAT:
        assert execution.model_verdict is VerdictKind.PASS


def test_its_refutation_is_evaluated() -> None:
    found = derive(parse(SYSTEMS["head"]), 300_000, Watchdog(60)).refutation
    assert found is not None
    assert found[-1].fact is None


@EACH
def test_its_size_and_shape_are_known(name: str) -> None:
    system = parse(SYSTEMS[name])
    assert DOMAIN.size(system).nodes > 1_000_000
    assert max(DOMAIN.size(system).stored().values()) < 1 << 53
    assert DOMAIN.shape(system)


def test_it_is_reduced() -> None:
    def keeps(system: System) -> bool:
        return any(clause.atoms and clause.is_query for clause in system.clauses)

    *_, last = shrink(parse(SYSTEMS["guard"]), one_by_one(keeps))
    assert last.minimal
    assert measured(last.system).nodes < 10


def test_a_shared_term_becomes_smaller_although_its_places_are_too_many() -> None:
    """The test admits no system without the clause that has it."""

    def keeps(system: System) -> bool:
        return len(system.clauses) == 1 and "exists" in print_system(system)

    system = parse(SYSTEMS["quantifier"])
    *_, last = shrink(system.with_clauses(system.clauses[-1:]), one_by_one(keeps))
    assert last.minimal
    assert measured(last.system).nodes < 20
