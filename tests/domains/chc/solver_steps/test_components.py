"""The component that made a wrong step."""

from chcfuzz.domains.chc.solver_steps.claims import StepClaim
from chcfuzz.domains.chc.solver_steps.components import Component, switches_on
from chcfuzz.domains.chc.solver_steps.judge import StepJudge
from chcfuzz.domains.chc.solver_steps.steps import ALL_LEVELS, Lemma, Obligation, ReachFact, SolverStep
from chcfuzz.domains.chc.solver_steps.text_format import without_queries
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.solvers.outcome import Status

EVEN = parse("""(declare-fun p (Int) Bool)(assert (p 0))(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(assert (forall ((x Int)) (=> (p x) (distinct x 4))))""")
NOTHING_ENDED: dict[StepClaim, str] = {}


def component(*steps: SolverStep, status: Status = Status.UNKNOWN) -> Component:
    """Return the component of the last step, which is wrong."""
    judged = list(StepJudge(EVEN, without_queries(EVEN), NOTHING_ENDED).judged(steps, status))[-1]
    assert judged.judgement.value == "wrong"
    return judged.component


def test_a_lemma_that_excludes_more_than_its_obligation_is_generalized_too_much() -> None:
    assert component(Lemma("p", 0, "(< p_0_n 0)", blocked="(= p_0_n 1)")) is Component.GENERALIZER


def test_a_lemma_whose_obligation_is_reachable_is_due_to_the_query_that_blocked_it() -> None:
    assert component(Lemma("p", 1, "(< p_0_n 1)", blocked="(> p_0_n 0)")) is Component.BLOCKING
    assert component(Lemma("p", 0, "(< p_0_n 0)", blocked="(> p_0_n 0)")) is Component.GENERALIZER


def test_a_lemma_that_was_raised_is_due_to_propagation() -> None:
    lemma = Lemma("p", 1, "(< p_0_n 1)", blocked="(> p_0_n 0)", is_pushed=True)
    assert component(lemma) is Component.PROPAGATION


def test_a_lemma_of_unknown_origin_has_no_component() -> None:
    assert component(Lemma("p", 0, "(< p_0_n 0)")) is Component.UNKNOWN


def test_an_answer_is_due_to_the_search_and_a_lemma_of_the_query_is_not() -> None:
    right = Lemma("p", 0, "(= p_0_n 0)")
    assert component(right, status=Status.SAT) is Component.SEARCH
    of_query = Lemma("query!", ALL_LEVELS, "false", is_pushed=True)
    assert component(right, of_query, status=Status.SAT) is Component.PROPAGATION


def test_obligations_are_projections_and_facts_are_reach_facts() -> None:
    child = Obligation("p", 0, "(= p_0_n 3)", (("p", "(= p_0_n 4)"),), is_exact=True)
    assert component(child) is Component.PROJECTION
    assert component(ReachFact("p", "(= p_0_n 2)")) is Component.REACH_FACT


def test_switches_are_those_of_components_that_run() -> None:
    defaults = {"fp.spacer.use_iuc": "true", "fp.spacer.global": "false", "fp.spacer.use_euf_gen": "false"}
    on = {"fp.spacer.use_euf_gen": "true"}
    assert [switch.name for switch in switches_on(on, defaults)] == ["iuc_solver", "lemma_eq_generalizer"]
