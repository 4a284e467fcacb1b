"""Witnesses along chains: a witness of a seed, converted by the rows, is a witness of the mutant."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from chcfuzz.domains.chc.oracles import witnesses
from chcfuzz.domains.chc.oracles.derive import refutation_from_facts
from chcfuzz.domains.chc.oracles.model import check_text
from chcfuzz.domains.chc.oracles.refutation import facts_of, fault
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.printing.witness import Fact, Facts, Meaning, Meanings
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.system import System, as_system
from chcfuzz.grammar.terms import Predicate, Quantifier, Variable
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.mutation import Kind, ModelConverter, Move, Mutation, Promise
from chcfuzz.mutators.recipe import Recipe, Step
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.rewriting.model_converter import carried_facts, carried_model, itself, no_facts
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.watchdog import Watchdog

from tests.nested import deep

RLIMIT = 1_000_000
WATCHDOG = Watchdog(60)

SAFE = """(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
(assert (forall ((x Int)) (=> (and (q x) (> x 9)) false)))
(check-sat)
"""
UNSAFE = SAFE.replace("> x 9", "> x 2")
MODEL = """(define-fun q ((x!0 Int)) Bool (and (<= 1 x!0) (k!0 (- x!0 1))))
(define-fun p ((x!0 Int)) Bool (and (<= 0 x!0) (k!0 x!0)))
(define-fun k!0 ((x!0 Int)) Bool (<= x!0 5))"""


def facts(system: System, *each: tuple[str, int]) -> Facts:
    by_name = {predicate.name: predicate for predicate in system.predicates}
    return tuple(Fact(by_name[name], (value,)) for name, value in each)


def row(rewrite: System, converter: ModelConverter) -> Mutation:
    """A row that makes this system of whatever it gets."""
    return Mutation(
        "test.row", Promise.EQUISATISFIABLE, "", "", lambda _s, _c: rewrite, lambda _s: True, converter=converter
    )


def moves_of(rows: Registry, before: System, *steps: tuple[str, bytes]) -> list[Move]:
    """The moves of these steps, one after the other."""
    moves: list[Move] = []
    for name, choices in steps:
        mutation = rows.get(name)
        assert mutation is not None
        after = mutation.rewrite(before, Choices(choices)) or before
        moves.append(Move(before, after, mutation, choices))
        before = after
    return moves


def holds(system: System, definitions: str | None) -> bool:
    return definitions is not None and check_text(system, definitions, WATCHDOG).kind is VerdictKind.PASS


def refutes(system: System, given: Facts | None) -> bool:
    refutation = None if given is None else refutation_from_facts(system, given, RLIMIT, WATCHDOG)
    return refutation is not None and fault(system, refutation) is None


# One row ------------------------------------------------------------------------------------------


def test_a_model_stays_the_text_it_is_where_predicates_keep_their_meaning(rows: Registry) -> None:
    moves = moves_of(rows, parse(SAFE), ("order.shuffle-clauses", b"\x02"), ("order.swap-declarations", b""))
    assert moves[0].after != moves[0].before
    assert moves[1].after != moves[0].after
    assert carried_model(moves, MODEL) == MODEL
    assert holds(moves[-1].after, MODEL)


def test_a_renamed_predicate_means_what_it_meant_and_its_facts_have_the_new_name(rows: Registry) -> None:
    moves = moves_of(rows, parse(SAFE), ("names.rename-predicate", b"\x00\x01"))
    assert [predicate.name for predicate in moves[0].after.predicates] == ["a", "q"]
    assert holds(moves[0].after, carried_model(moves, MODEL))
    assert not holds(moves[0].after, MODEL)
    assert carried_facts(moves, facts(moves[0].before, ("p", 0), ("q", 1))) == facts(moves[0].after, ("a", 0), ("q", 1))


def test_exchanged_names_exchange_meanings_and_facts(rows: Registry) -> None:
    moves = moves_of(rows, parse(SAFE), ("names.exchange-predicates", b"\x01"))
    assert [predicate.name for predicate in moves[0].after.predicates] == ["q", "p"]
    assert holds(moves[0].after, carried_model(moves, MODEL))
    assert not holds(moves[0].after, MODEL)
    assert carried_facts(moves, facts(moves[0].before, ("p", 0), ("q", 1))) == facts(moves[0].after, ("q", 0), ("p", 1))


def test_names_that_come_back_leave_the_model_as_it_was(rows: Registry) -> None:
    there = [("names.exchange-predicates", b"\x01")] * 2
    moves = moves_of(rows, parse(SAFE), *there)
    assert moves[1].after == moves[0].before
    assert carried_model(moves, MODEL) == MODEL


def test_what_a_model_leaves_out_is_false_under_its_new_name(rows: Registry) -> None:
    text = "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (< x 0))))"
    moves = moves_of(rows, parse(text), ("names.rename-predicate", b""))
    assert holds(moves[0].after, carried_model(moves, ""))


def test_names_with_bars_and_names_that_clash_are_converted(rows: Registry) -> None:
    text = """(declare-fun |a b| (Int) Bool)(declare-fun x!0 () Bool)(declare-fun |x!0 before| () Bool)
    (assert (forall ((|c d| Int)) (=> (> |c d| 0) (|a b| |c d|))))
    (assert (=> x!0 |x!0 before|))(assert x!0)"""
    model = """(define-fun |a b| ((x!0 Int)) Bool (> x!0 0))
    (define-fun x!0 () Bool true)(define-fun |x!0 before| () Bool x!0)"""
    moves = moves_of(rows, parse(text), ("names.exchange-predicates", b"\x02"), ("names.rename-predicate", b""))
    assert moves[0].before.predicates != moves[0].after.predicates != moves[1].after.predicates
    assert holds(moves[0].before, model)
    assert holds(moves[1].after, carried_model(moves, model))


def test_a_step_that_changed_nothing_or_has_no_row_here_changes_no_witness(rows: Registry) -> None:
    system = parse(SAFE)
    moves = [Move(system, system, rows.get("names.rename-predicate")), Move(system, system, None)]
    assert carried_model(moves, MODEL) == MODEL
    assert carried_facts(moves, facts(system, ("p", 0))) == facts(system, ("p", 0))


def test_no_witness_is_converted_over_an_unknown_row() -> None:
    moves = [Move(parse(SAFE), parse(UNSAFE), None)]
    assert carried_model(moves, MODEL) is None
    assert carried_facts(moves, ()) is None


def test_a_model_that_would_be_nested_too_deep_is_not_converted() -> None:
    before, after = parse(SAFE), parse(UNSAFE)
    text = f"(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> {deep('(p x)')} false)))"
    meant = parse(text).clauses[0].formula.children[0].children[0]
    parameters = (Variable("x", INT),)
    converter = ModelConverter(
        lambda move: {each: Meaning(parameters, meant) for each in move.after.predicates}, no_facts
    )
    moves = [Move(before, after, row(after, converter)), Move(after, before, row(before, converter))]
    assert carried_model(moves[:1], MODEL) is not None
    assert carried_model(moves, MODEL) is None


def test_only_what_comes_after_the_start_counts(rows: Registry) -> None:
    moves = moves_of(rows, parse(SAFE), ("names.rename-predicate", b"\x00\x01"), ("order.shuffle-clauses", b"\x02"))
    model = MODEL.replace(" p ", " a ")
    assert carried_model(moves[1:], model) == model
    assert carried_model(moves[2:], model) == model


# Rows to come ----------------------------------------------------------------------------------------


def test_the_design_fits_rows_that_change_signatures() -> None:
    """Arguments in another order, one dropped; two steps whose sayings are put into each other."""
    before = parse(
        """(declare-fun p (Int Bool Int) Bool)
        (assert (forall ((b Bool)) (p 0 b 7)))
        (assert (forall ((x Int) (b Bool) (y Int)) (=> (and (p x b y) (< x 5)) (p (+ x 1) b y))))
        (assert (forall ((x Int) (b Bool) (y Int)) (=> (p x b y) (and (< x 6) (= y 7)))))"""
    )
    turned = parse(
        """(declare-fun q (Int Int Bool) Bool)
        (assert (forall ((b Bool)) (q 7 0 b)))
        (assert (forall ((x Int) (b Bool) (y Int)) (=> (and (q y x b) (< x 5)) (q y (+ x 1) b))))
        (assert (forall ((x Int) (b Bool) (y Int)) (=> (q y x b) (and (< x 6) (= y 7)))))"""
    )
    shorter = parse(
        """(declare-fun p (Int Int) Bool)
        (assert (p 7 0))
        (assert (forall ((x Int) (y Int)) (=> (and (p y x) (< x 5)) (p y (+ x 1)))))
        (assert (forall ((x Int) (y Int)) (=> (p y x) (and (< x 6) (= y 7)))))"""
    )

    def turning(_move: Move) -> Meanings:
        p, q = before.predicates[0], turned.predicates[0]
        y, x, b = itself(q).parameters
        return {q: Meaning((y, x, b), itself(p).of([x, b, y]))}

    def shortening(_move: Move) -> Meanings:
        q, p = turned.predicates[0], shorter.predicates[0]
        y, x = itself(p).parameters
        b = Variable("b", q.parameters[2])
        return {p: Meaning((y, x), Quantifier("exists", [b], itself(q).of([y, x, b])))}

    def moved(predicate: Predicate, places: Sequence[int], given: Facts) -> Facts:
        return tuple(Fact(predicate, tuple(fact.values[place] for place in places)) for fact in given)

    turn = row(turned, ModelConverter(turning, lambda _move, given: moved(turned.predicates[0], (2, 0, 1), given)))
    shorten = row(shorter, ModelConverter(shortening, lambda _move, given: moved(shorter.predicates[0], (0, 1), given)))
    moves = [Move(before, turned, turn), Move(turned, shorter, shorten)]
    model = "(define-fun p ((x!0 Int) (x!1 Bool) (x!2 Int)) Bool (and (<= 0 x!0 5) (= x!2 7)))"
    assert holds(before, model)
    assert holds(shorter, carried_model(moves, model))
    given = (Fact(before.predicates[0], (0, False, 7)),)
    assert carried_facts(moves, given) == (Fact(shorter.predicates[0], (7, 0)),)


# Interrogation -----------------------------------------------------------------------------------------


def test_a_row_that_puts_a_model_in_hands_on_that_model(rows: Registry) -> None:
    """Another model of the system before may differ from the one that was put in."""
    before = parse(SAFE)
    changed = 0
    for name in (row.id for row in rows.of_kind(Kind.INTERROGATION)):
        for choices in (b"", b"\x01", b"\x00\x01\x01"):
            moves = moves_of(rows, before, (name, choices))
            if moves[0].after != moves[0].before:
                changed += 1
                assert holds(moves[0].after, carried_model(moves, MODEL)), name
                assert carried_facts(moves, ()) is None
    assert changed >= 10


def test_a_row_that_uses_a_refutation_hands_on_its_facts(rows: Registry) -> None:
    before = parse(UNSAFE)
    changed = 0
    for name in ("core", "fact-for-subtree", "instance"):
        for choices in (b"", b"\x01", b"\x00\x01\x01", b"\x01\x01"):
            moves = moves_of(rows, before, (f"interrogation.{name}", choices))
            if moves[0].after != moves[0].before:
                changed += 1
                assert refutes(moves[0].after, carried_facts(moves, ())), (name, choices)
                assert carried_model(moves, MODEL) is None
    assert changed >= 4


# Chains ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chained:
    """A seed, and a chain of its mutants."""

    name: str
    moves: tuple[Move, ...]

    @property
    def seed(self) -> System:
        return as_system(self.moves[0].before)

    @property
    def mutant(self) -> System:
        return as_system(self.moves[-1].after)

    def __str__(self) -> str:
        return f"{self.name}: {[move.row.id if move.row else '' for move in self.moves]}\n{print_system(self.mutant)}"


@pytest.fixture(scope="module")
def chained(rows: Registry, small_texts: dict[str, str]) -> list[Chained]:
    """A chain of seven rows that keep both answers on each of the small seeds, with names exchanged in it."""
    chains = Chains(rows)
    both = [row for row in rows.mutations if row.promise in (Promise.EQUIVALENT, Promise.EQUISATISFIABLE)]
    found = []
    for name, text in small_texts.items():
        drawn = Choices(hashlib.shake_128(name.encode()).digest(512))
        chosen = [drawn.pick(both).id for _ in range(7)]
        chosen[2], chosen[5] = "names.exchange-predicates", "names.rename-predicate"
        steps = tuple(Step(mutation, bytes(drawn.integer(0, 255) for _ in range(12))) for mutation in chosen)
        recipe = Recipe(text, steps)
        moves = chains.moves(recipe)
        assert len(moves) == 7
        assert moves[-1].after == chains.apply(recipe).problem
        found.append(Chained(name, moves))
    return found


def test_models_of_seeds_are_models_of_their_mutants(chained: list[Chained]) -> None:
    message: Counter[bool] = Counter()
    for each in chained:
        system = each.seed
        definitions = witnesses.spacer_model(print_system(system)) if system.status == "sat" else None
        if definitions is not None:
            carried = carried_model(each.moves, definitions)
            assert carried is not None, str(each)
            verdict = check_text(each.mutant, carried, WATCHDOG)
            assert verdict.kind in (VerdictKind.PASS, VerdictKind.UNDECIDED), f"{each}\n{verdict.detail}\n{carried}"
            message[verdict.kind is VerdictKind.PASS] += 1
    assert message[True] >= 10
    assert message[False] <= message[True] // 10


def test_refutations_of_seeds_refute_their_mutants(chained: list[Chained]) -> None:
    message: Counter[bool] = Counter()
    for each in chained:
        refutation = witnesses.refutation_of(each.seed) if each.seed.status == "unsat" else None
        if refutation is not None:
            carried = carried_facts(each.moves, facts_of(refutation))
            message[refutes(each.mutant, carried)] += 1
    assert message[True] >= 10
    assert message[False] <= message[True] // 10
