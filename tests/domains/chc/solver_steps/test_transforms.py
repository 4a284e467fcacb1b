"""Transforms of rules: rules that lose or gain a fact are found, with a witness; other rules are not called wrong."""

import pytest
from chcfuzz.domains.chc.solver_steps.judge_worker import reports
from chcfuzz.domains.chc.solver_steps.judgement import Difference
from chcfuzz.domains.chc.solver_steps.observation import ObservedRun, TransformRun
from chcfuzz.domains.chc.solver_steps.spacer_rules import RealRules
from chcfuzz.domains.chc.solver_steps.text_format import without_queries
from chcfuzz.domains.chc.solver_steps.transform_options import ALWAYS, SWITCHES, all_off, alone, running
from chcfuzz.domains.chc.solver_steps.transforms import TransformJudge, with_reached_query
from chcfuzz.execution.solver_steps import SolverStepReport
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles import second_solver
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_parameters import fixedpoint_parameters

from tests.domains.chc.solver_steps.test_spacer_rules import printed

HEAD = "(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)"
ZERO, STEP = "(assert (p 0))", "(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))"
QUERY = "(assert (forall ((x Int)) (=> (and (p x) (= x 4)) false)))"
UNFOLD, SLICE = "fp.xform.unfold_rules", "fp.xform.slice"


def rules(*clauses: str) -> RealRules:
    return without_queries(parse("".join((HEAD, *clauses))))


def difference(before: RealRules, after: RealRules, keeps_facts: bool = True) -> Difference | None:
    return TransformJudge(before, Watchdog(60.0)).difference(after, keeps_facts)


def test_equal_rules_and_rules_that_take_several_steps_do_not_differ() -> None:
    whole = rules(ZERO, STEP, QUERY)
    assert difference(whole, whole) is None
    unfolded = rules(ZERO, "(assert (p 2))", STEP.replace("(+ x 2)", "(+ x 4)"), QUERY)
    assert difference(whole, unfolded) is None


def test_a_lost_rule_of_the_query_is_found_and_every_check_of_the_script_is_unsat() -> None:
    found = difference(rules(ZERO, STEP, QUERY), rules(ZERO, STEP), keeps_facts=False)
    assert found is not None
    assert (found.is_lost, found.facts[:3]) == (True, ("(p 0)", "(p 2)", "(p 4)"))
    parts = found.script.split("(reset)\n")
    assert len(parts) == 2
    assert all(set(second_solver.answers(part)) == {"unsat"} for part in parts)


def test_a_gained_fact_of_the_query_is_found() -> None:
    gained = difference(rules(ZERO, QUERY), rules(ZERO, STEP, QUERY))
    assert gained is not None
    assert not gained.is_lost


def test_facts_of_other_predicates_count_only_if_the_transform_keeps_them() -> None:
    before, after = rules(ZERO, STEP), rules(ZERO)
    found = difference(before, after)
    assert found is not None
    assert found.facts == ("(p 0)", "(p 2)")
    assert difference(before, after, keeps_facts=False) is None


def test_a_side_with_an_unread_rule_lacks_no_fact() -> None:
    before, after = rules(ZERO, STEP), rules(ZERO)
    assert difference(before, RealRules(after.system, after.query, frozenset({"p"}))) is None


def test_a_query_is_reached_by_further_facts() -> None:
    near = with_reached_query(parse(HEAD + ZERO + "(assert (forall ((x Int)) (=> (and (p x) (q x) (> x 6)) false)))"))
    assert near.count("(assert (p ") == 2
    assert near.count("(assert (q 7))") == 1
    assert with_reached_query(parse(HEAD + ZERO)) == ""


def judged(*runs: TransformRun) -> list[SolverStepReport]:
    text = runs[0].text
    return [each for each in reports(ObservedRun(text=text, status="unknown", transforms=runs)) if each.number == 0]


TEXT = HEAD + ZERO + STEP + QUERY
RULES = ("p(0)", "p((+ 2 (:var 0))) :-\n p(#0)", "query!0() :-\n p(#0),\n (= (:var 0) 4)")


def test_only_transforms_that_change_rules_are_judged_and_a_wrong_one_is_the_first_wrong_step() -> None:
    plain = TransformRun(ALWAYS, TEXT, printed(*RULES))
    same = TransformRun(SLICE, TEXT, printed(*RULES))
    wrong = TransformRun(UNFOLD, TEXT, printed(*RULES[1:]))
    always, unfolded = judged(plain, same, wrong)
    assert (always.predicate, always.judgement) == (ALWAYS, "open")
    assert (unfolded.predicate, unfolded.judgement, unfolded.reason) == (UNFOLD, "wrong", "a fact is lost")
    assert (unfolded.finding, unfolded.component) == ("wrong-transform", "transform")
    assert unfolded.line == f"0: transform of {UNFOLD}: wrong (a fact is lost): the clauses of the file"


def test_a_transform_that_is_wrong_only_near_the_script_names_the_neighbour() -> None:
    near = with_reached_query(parse(TEXT))
    runs = [TransformRun(option, text, printed(*RULES)) for option in (ALWAYS, UNFOLD) for text in (TEXT, near)]
    runs[1] = TransformRun(ALWAYS, near, printed(*RULES, "p(4)"))
    (_, found) = judged(*runs[:3], TransformRun(UNFOLD, near, printed("p(4)")))
    assert found.formula == "the clauses of the file, with facts that reach a query"


def test_a_run_has_one_transform_on() -> None:
    off = dict(all_off())
    assert dict(alone(UNFOLD, {})).items() >= (off | {UNFOLD: "1"}).items()
    assert dict(alone(UNFOLD, {UNFOLD: "2"})).items() >= (off | {UNFOLD: "2"}).items()
    assert dict(alone(ALWAYS, {UNFOLD: "2"})).items() >= off.items()


def test_transforms_run_by_their_defaults_and_options() -> None:
    assert set(SWITCHES) <= {f"fp.{row.name}" for row in fixedpoint_parameters()}
    assert SLICE in running({})
    assert SLICE not in running({SLICE: "false"})
    assert UNFOLD not in running({})
    assert UNFOLD in running({UNFOLD: "2"})


@pytest.mark.parametrize("option", ["fp.xform.array_blast", "fp.xform.unfold_rules"])
def test_a_rule_that_is_not_understood_makes_no_difference(option: str) -> None:
    (always,) = judged(TransformRun(ALWAYS, TEXT, "nothing"), TransformRun(option, TEXT, "nothing"))
    assert always.judgement == "open"
