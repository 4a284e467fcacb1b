"""The facts that Spacer prints through the API of fixedpoints, and the judgements on them."""

from pathlib import Path

import pytest
from chcfuzz.domains.chc.rows.parameters import parameters
from chcfuzz.domains.chc.solver_steps.judge_worker import reply_to, reports
from chcfuzz.domains.chc.solver_steps.observation import ObservedRun
from chcfuzz.domains.chc.solver_steps.reach_facts import found_facts
from chcfuzz.domains.chc.solver_steps.worker import StepsObserver, StepsQuery
from chcfuzz.execution.solver_steps import SolverStepReport
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.mutation import Parameter
from chcfuzz.solvers.watchdog import Watchdog

from tests.targets import ROOT

UP = """(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))(assert (forall ((x Int)) (=> (p x) (q x))))
(assert (forall ((x Int)) (=> (q x) (< x 3))))"""


def judged(text: str, *facts: tuple[str, str]) -> list[SolverStepReport]:
    return list(reports(ObservedRun(text=text, status="unknown", facts=facts)))


def facts_of(text: str, *parameters: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return found_facts(parse(text), parameters, 1_000_000, Watchdog(60.0)).facts


def judgements(*facts: tuple[str, str]) -> list[str]:
    return [step.judgement for step in judged(UP, *facts)]


def test_the_facts_of_a_run_are_read_and_right() -> None:
    facts = facts_of(UP)
    assert {name for name, _ in facts} >= {"p", "q"}
    assert {step.judgement for step in judged(UP, *facts)} == {"right"}


def test_parameters_and_rejected_systems_end_nothing() -> None:
    assert facts_of(UP, ("fp.spacer.reach_dnf", "false"), ("fp.xform.slice", "true"))
    assert facts_of("(declare-fun p (Int) Bool)(assert (forall ((x Int)) (not (p x))))") == ()
    assert facts_of(UP, ("fp.engine", "datalog"))


def test_facts_follow_from_clauses_of_any_shape() -> None:
    """Z3's fixedpoints refuse a rule of another shape than an implication."""
    step = "(assert (forall ((x Int)) (not (and (p x) (not (p (+ x 2)))))))"
    text = UP.replace("(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))", step)
    assert step in text
    assert facts_of(text) == facts_of(UP)


def test_a_refused_run_for_facts_is_an_open_step_with_its_reason() -> None:
    refused = ObservedRun(text=UP, status="unknown", facts=(), refusal_of_facts="a reason of Z3")
    assert [each.line for each in reports(refused)] == [
        "1: fact of any predicate: open (the run that prints facts ended early): a reason of Z3"
    ]
    tiny = found_facts(parse(UP), (), 10, Watchdog(60.0))
    assert (tiny.facts, tiny.refusal) == ((), "max. resource limit exceeded")


def test_a_mutant_without_clauses_has_no_facts_and_its_steps_are_not_judged() -> None:
    observed = StepsObserver(Solving()).with_facts(StepsQuery("(set-logic HORN)(check-sat)", ()))
    assert (observed.status, observed.facts) == ("sat", ())
    assert "no clause" in reply_to(observed).error


def test_unfolded_rules_do_not_make_facts_wrong() -> None:
    """Spacer derives 2 and 4 from 0 at once, before it has the fact 0 itself."""
    text = UP.replace("(< x 3)", "(< x 9)")
    facts = facts_of(text, ("fp.xform.unfold_rules", "2"))
    assert facts
    assert {step.judgement for step in judged(text, *facts)} == {"right"}


def test_facts_of_one_predicate_are_in_their_order_and_those_of_others_are_not() -> None:
    zero, two = ("p", "(= p_0_n 0)"), ("p", "(= p_0_n 2)")
    assert judgements(zero, two) == ["right", "right"]
    assert judgements(("p", "(= p_0_n 4)"), zero) == ["wrong", "right"]
    assert judgements(("q", "(= q_0_n 2)"), zero, two) == ["right", "right", "right"]
    assert judgements(("q", "(= q_0_n 1)"), zero) == ["wrong", "right"]


def test_facts_that_come_before_their_own_ground_are_right() -> None:
    """A transform makes (p 2) a fact, since (p 0) matches the body of its rule."""
    zero, two, four, six = (("p", f"(= p_0_n {number})") for number in (0, 2, 4, 6))
    assert judgements(two, zero) == ["right", "right"]
    assert judgements(four, two, zero) == ["right", "right", "right"]
    assert judgements(six, four, zero) == ["wrong", "wrong", "right"]


def test_a_predicate_without_readable_facts_counts_as_true_everywhere() -> None:
    assert judgements(("q", "(= q_0_n 1)")) == ["right"]
    assert judgements(("p", "(= p_0_n"), ("p", "(= p_0_n 1)"), ("q", "(= q_0_n 1)")) == ["open", "right", "right"]


SEEDS = sorted((ROOT / "corpus").glob("*/*.smt2"))


def alarms(seed: Path, *parameters: tuple[str, str]) -> list[str]:
    text = seed.read_text()
    wrong = (step for step in judged(text, *facts_of(text, *parameters)) if step.judgement in ("wrong", "unproved"))
    return [f"{seed.stem} {parameters}: {step.line}" for step in wrong]


def test_no_fact_of_a_seed_is_an_alarm() -> None:
    assert [line for seed in SEEDS[::50] for line in alarms(seed)] == []


@pytest.mark.slow
@pytest.mark.parametrize("row", parameters(), ids=lambda row: row.name)
def test_no_option_gives_an_alarm_on_facts(row: Parameter) -> None:
    assert [line for seed in SEEDS[30::150] for line in alarms(seed, (row.name, row.values[0]))] == []


@pytest.mark.parametrize(
    ("bug", "predicate"),
    [("10-reads-of-one-array", "q"), ("22-distinct-of-three-arrays", "q"), ("23-read-of-a-store-of-arrays", "q")],
)
def test_a_wrong_fact_leads_to_the_wrong_answer_of_a_known_bug(bug: str, predicate: str) -> None:
    text = (ROOT / "reports/z3" / bug / "input.smt2").read_text()
    options = tuple((name.removeprefix(":"), value) for name, value in parse(text).options)
    wrong = [step for step in judged(text, *facts_of(text, *options)) if step.judgement == "wrong"]
    assert [(step.kind, step.predicate, step.component) for step in wrong] == [("fact", predicate, "reach fact")]
