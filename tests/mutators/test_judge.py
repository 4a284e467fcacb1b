"""The judge finds promises that are not kept, of each kind."""

from collections.abc import Callable

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.witness import Fact, Meanings
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom, apply, implication, integer, negation, real
from chcfuzz.mutators.mutation import ModelConverter, Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.model_converter import SAME, itself

from tests.mutators import judge
from tests.mutators.judge import Judgment
from tests.mutators.systems import SYSTEMS

HEAD = "(set-logic HORN)"
COUNTER = (
    HEAD
    + """(declare-fun p (Int Int) Bool)
(assert (p 0 7))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 3)) (p (+ x 1) y))))
"""
)
SAFE = parse(COUNTER + "(assert (forall ((x Int) (y Int)) (=> (p x y) (< x 4))))")
UNSAFE = parse(COUNTER + "(assert (forall ((x Int) (y Int)) (=> (p x y) (< x 3))))")

Rewrite = Callable[[System], System | None]


def drawn(rewrite: Rewrite, promise: Promise, system: System, converter: ModelConverter = SAME) -> judge.Draw:
    row = Mutation(
        "planted.row",
        promise,
        "",
        "",
        lambda before, _: rewrite(before),
        lambda _: True,
        converter=converter,
        needs=Needs.CLAUSES,
    )
    found = judge.draw(row, "planted", system, 0)
    assert found is not None
    return found


def without(number: int) -> Rewrite:
    return lambda system: system.with_clauses([c for i, c in enumerate(system.clauses) if i != number])


def with_guard(guard: str, by: str) -> Rewrite:
    """Replace the last clause."""
    return lambda _system: parse(COUNTER + f"(assert (forall ((x Int) (y Int)) (=> (p x y) ({by} x {guard}))))")


def turned(system: System) -> System:
    """The arguments change places, everywhere."""
    clauses = "".join(
        f"(assert {text})"
        for text in (
            "(p 7 0)",
            "(forall ((x Int) (y Int)) (=> (and (p y x) (< x 3)) (p y (+ x 1))))",
            f"(forall ((x Int) (y Int)) (=> (p y x) (< x {4 if system is SAFE else 3})))",
        )
    )
    return parse(f"{HEAD}(declare-fun p (Int Int) Bool){clauses}")


@pytest.mark.parametrize("promise", [Promise.EQUISATISFIABLE, Promise.SAT_PRESERVING, Promise.UNSAT_PRESERVING])
@pytest.mark.parametrize(
    ("system", "rewrite", "answer_before", "answer_after"),
    [
        (SAFE, with_guard("3", "<"), "sat", "unsat"),
        (UNSAFE, without(2), "unsat", "sat"),
        (UNSAFE, without(0), "unsat", "sat"),
        (SAFE, without(0), "sat", "sat"),
        (UNSAFE, with_guard("2", "<"), "unsat", "unsat"),
        (SYSTEMS["several queries, one reached"], without(3), "unsat", "unsat"),
        (SYSTEMS["several queries, one reached"], without(0), "unsat", "sat"),
        (SYSTEMS["nullary"], without(1), "sat", "sat"),
    ],
)
def test_another_answer_breaks_the_promises_that_forbid_it(
    system: System, rewrite: Rewrite, answer_before: str, answer_after: str, promise: Promise
) -> None:
    found = drawn(rewrite, promise, system)
    assert (judge.decision(found.before), judge.decision(found.after)) == (answer_before, answer_after)
    expected = promise.expected(answer_before)
    wanted = Judgment.OPEN if expected is None else Judgment.KEPT if expected == answer_after else Judgment.BROKEN
    assert judge.promise(found) is wanted


@pytest.mark.parametrize("ask_cvc5", [False, True])
def test_a_clause_with_other_models_breaks_equivalence(ask_cvc5: bool) -> None:
    def dropped(_system: System) -> System:
        return parse(HEAD + "(declare-fun a () Bool)(declare-fun b () Bool)(assert (=> a b))")

    before = parse(HEAD + "(declare-fun a () Bool)(declare-fun b () Bool)(assert (=> a b))(assert (=> b a))")
    for system in (before, parse(HEAD + "(declare-fun a () Bool)(declare-fun b () Bool)(assert b)")):
        found = drawn(dropped, Promise.EQUIVALENT, system)
        assert judge.equivalence(found, ask_cvc5) is Judgment.BROKEN


def test_other_predicates_are_other_models() -> None:
    found = drawn(lambda system: system.with_predicates(()), Promise.EQUIVALENT, SYSTEMS["no clauses"])
    assert judge.promise(found) is Judgment.BROKEN


def test_clauses_that_change_number_are_compared_as_a_whole() -> None:
    parts = "(assert (forall ((x Int)) (=> (or (< x 0) (> x 5)) (p x))))"
    split = "(assert (forall ((x Int)) (=> (< x 0) (p x))))(assert (forall ((x Int)) (=> (> x {}) (p x))))"
    declared = HEAD + "(declare-fun p (Int) Bool)(assert (p 3))"
    for number, judgment in ((5, Judgment.KEPT), (6, Judgment.BROKEN), (4, Judgment.BROKEN)):
        after = parse(declared + split.format(number))
        found = drawn(lambda _, after=after: after, Promise.EQUIVALENT, parse(declared + parts))  # type: ignore[misc]
        assert judge.promise(found) is judgment
        assert judge.equivalence(found, ask_cvc5=True) in (judgment, Judgment.OPEN)


@pytest.mark.parametrize("system", [SAFE, UNSAFE])
def test_a_wrong_converter_is_found_and_the_right_one_kept(system: System) -> None:
    p = system.predicates[0]
    x, y = itself(p).parameters

    def meanings(_move: object) -> Meanings:
        return {p: type(itself(p))((x, y), Atom(p, [y, x]))}

    right = ModelConverter(meanings, lambda _, facts: tuple(Fact(p, fact.values[::-1]) for fact in facts))
    for carry, judgment in ((right, Judgment.KEPT), (SAME, Judgment.BROKEN)):
        found = drawn(turned, Promise.EQUISATISFIABLE, system, carry)
        assert judge.promise(found) is Judgment.KEPT
        result = judge.carries_model(found), judge.carries_refutation(found)
        assert result == ((judgment, Judgment.OPEN) if system is SAFE else (Judgment.OPEN, judgment))


def test_a_fixpoint_decides_finite_systems_and_no_others() -> None:
    text = HEAD + "(declare-fun p ((_ BitVec 3)) Bool)(assert (p #b000))"
    text += "(assert (forall ((x (_ BitVec 3))) (=> (p x) (p (bvadd x #b{}))))"
    text += "(assert (=> (p #b101) false))"
    assert judge.fixpoint(parse(text.format("001)"))) == "unsat"
    assert judge.fixpoint(parse(text.format("010)"))) == "sat"
    assert judge.fixpoint(SAFE) is None


def test_the_solvers_say_what_is_so() -> None:
    system = SYSTEMS["written"]
    formula = system.clauses[0].formula
    assert judge.z3_answer(system, negation(formula)) == "sat"
    assert judge.z3_answer(system, negation(implication(formula, formula))) == "unsat"
    assert judge.cvc5_answer(system, negation(implication(formula, formula))) == "unsat"
    assert judge.cvc5_answer(system, Atom(system.predicates[1], [real(0)])) == "sat"
    assert judge.cvc5_answer(system, apply("=", integer(1), integer(2))) == "unsat"


def test_draws_depend_on_their_row_their_system_and_their_number_alone() -> None:
    queried: list[int] = []

    def rewrite(system: System, choices: Choices) -> System | None:
        queried.append(choices.index(1 << 30))
        return system.with_clauses(())

    row = Mutation("planted.row", Promise.NOTHING, "", "", rewrite, lambda _: True, needs=Needs.CLAUSES)
    systems = {name: SYSTEMS[name] for name in ("integers", "reals")}
    once = list(judge.draws([row], systems, range(3)))
    again = list(judge.draws([row], dict(reversed(systems.items())), range(2, -1, -1)))
    assert len(set(queried[:6])) == 5  # the first draw of each takes the first choices
    assert queried[:6] == queried[6:][::-1]
    assert [each.move for each in once] == [each.move for each in again][::-1]
