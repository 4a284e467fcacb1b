"""Systems that expose a wrong step: each has its right answer, and there the step decides."""

import pytest
from chcfuzz.domains.chc.solver_steps.claims import StepClaim
from chcfuzz.domains.chc.solver_steps.judge import StepJudge
from chcfuzz.domains.chc.solver_steps.judge_worker import reports
from chcfuzz.domains.chc.solver_steps.observation import ObservedRun
from chcfuzz.domains.chc.solver_steps.steps import Lemma, Obligation, ReachFact, SolverStep
from chcfuzz.domains.chc.solver_steps.text_format import without_queries
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers.outcome import Status

SYSTEM = parse("""(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))(assert (forall ((x Int)) (=> (p x) (q x))))
(assert (forall ((x Int)) (=> (p x) (distinct x 5))))""")
NOTHING_ENDED: dict[StepClaim, str] = {}
LEMMA = Lemma("p", 1, "(< p_0_n 1)")
OBLIGATION = Obligation("p", 0, "(= p_0_n 3)", (("q", "(= q_0_n 4)"), ("p", "(= p_0_n 6)")), is_exact=True)
FACT = ReachFact("p", "(= p_0_n 1)")


def exposing(step: SolverStep) -> list[str]:
    judge = StepJudge(SYSTEM, without_queries(SYSTEM), NOTHING_ENDED)
    found = judge.judged_facts([step], 1) if isinstance(step, ReachFact) else judge.judged([step], Status.UNKNOWN)
    judged = list(found)[-1]
    assert judged.judgement.value == "wrong"
    return list(dict.fromkeys(judge.exposing(judged)))


@pytest.mark.parametrize(("step", "status"), [(LEMMA, "unsat"), (OBLIGATION, "sat"), (FACT, "sat")])
def test_each_system_has_its_right_answer_in_several_forms(step: SolverStep, status: str) -> None:
    pipeline = Pipeline(Solving(wall_seconds=100.0))
    texts = exposing(step)
    assert len(texts) >= 2
    for text in texts:
        assert f"(set-info :status {status})" in text
        mutant = pipeline.mutant(Recipe(text))
        assert pipeline.solve(mutant.text, ()).status.value == status


def test_the_state_of_an_obligation_is_the_only_fact_and_the_parent_is_the_query() -> None:
    (first, *_) = exposing(OBLIGATION)
    system = parse(first)
    facts = [clause for clause in system.clauses if not clause.atoms and not clause.is_query]
    assert "<(p 3)>" in [repr(clause.formula) for clause in facts]
    assert "(p 0)" not in first


def test_a_query_of_the_file_is_kept_only_where_the_answer_is_unsat() -> None:
    assert any("(distinct x 5)" in text for text in exposing(LEMMA))
    assert not any("(distinct x 5)" in text for text in exposing(FACT))


def test_the_first_wrong_step_alone_has_exposing_systems_also_where_another_solver_printed_it() -> None:
    steps = (
        "(declare-fun r (Int) Bool)\nrule (forall ((x Int)) (=> (= x 1) (r x)))\nfact r (= r_0_n 2)\nlemma r 0 false\n"
    )
    found = reports(ObservedRun(text=print_system(SYSTEM), status="unknown", steps=steps))
    assert [(each.judgement, bool(each.exposing)) for each in found] == [("wrong", False), ("wrong", False)]
    steps = steps.replace("fact r (= r_0_n 2)\n", "")
    (lemma,) = reports(ObservedRun(text=print_system(SYSTEM), status="unknown", steps=steps))
    assert all("(r " in text for text in lemma.exposing)
    assert lemma.exposing
