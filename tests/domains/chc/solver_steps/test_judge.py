"""Judgements on steps: each claim is right, and wrong with a witness, for small systems that one can check by hand."""

import pytest
from chcfuzz.domains.chc.solver_steps import frames, judge, prover, run_claims, state_judge, states
from chcfuzz.domains.chc.solver_steps.judge_worker import reports
from chcfuzz.domains.chc.solver_steps.observation import ObservedRun
from chcfuzz.execution.solver_steps import BARELY, LOWERED, SolverStepReport, suspicious
from chcfuzz.oracles import second_solver

# p holds of the even numbers from 0 on, q of p's facts over 3.
EVEN = """(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 3)) (q x))))
(assert (forall ((x Int)) (=> (q x) (> x 3))))"""


def judged(*lines: str, text: str = EVEN, has_doubts: bool = True) -> list[SolverStepReport]:
    return list(reports(ObservedRun(text=text, status="unknown", steps="\n".join(lines), has_doubts=has_doubts)))


def judgements(*lines: str) -> list[str]:
    return [each.judgement for each in judged(*lines)]


def test_a_lemma_that_each_rule_keeps_is_right() -> None:
    assert judgements("lemma p 0 (= p_0_n 0)", "lemma p 1 (and (<= 0 p_0_n) (<= p_0_n 2))") == ["right", "right"]


def test_a_lemma_that_excludes_a_fact_of_its_height_is_wrong_with_the_derivation() -> None:
    (wrong,) = judged("lemma p 2 (< p_0_n 4)")
    assert wrong.judgement == "wrong"
    assert wrong.reason == "it excludes a fact of height 2"
    assert wrong.facts == ("(p 0)", "(p 2)", "(p 4)")
    assert set(second_solver.answers(wrong.script)) == {"unsat"}


def test_a_lemma_that_excludes_only_facts_of_greater_height_is_not_wrong() -> None:
    """It is true at level 1, but does not follow from no lemma at level 0."""
    assert judgements("lemma p 1 (< p_0_n 4)") == ["unproved"]
    assert judgements("lemma p 0 (< p_0_n 2)", "lemma p 1 (< p_0_n 4)") == ["right", "right"]


def test_lemmas_at_all_levels_are_inductive_together_and_judged_last() -> None:
    steps = ["lemma q oo (<= 4 q_0_n)", "lemma p oo (= 0 (mod p_0_n 2))", "answer sat"]
    assert judgements(*steps) == ["right", "right", "right"]
    assert judged(*steps)[-1].predicate == "query!"
    assert judgements("lemma q oo (<= 4 q_0_n)") == ["open"]


# In each fact of p, both arguments are 0; neither bound is inductive alone.
JOINED = """(declare-fun p (Int Int) Bool)(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x y) (* y 2)))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (= x 0))))"""


def test_a_lemma_that_is_right_at_all_levels_is_right_at_each() -> None:
    first, *together = ("lemma p 3 (= p_0_n 0)", "lemma p oo (= p_0_n 0)", "lemma p oo (= p_1_n 0)")
    found = judged(first, *together, "answer sat", text=JOINED)
    assert [each.judgement for each in found] == ["right"] * 4
    assert judged(first, text=JOINED)[0].judgement == "unproved"


def test_lemmas_at_all_levels_prove_nothing_unless_each_of_them_is_right() -> None:
    lines = ("lemma p 3 (= p_0_n 0)", "lemma p oo (= p_0_n 0)", "lemma p oo false", "answer sat")
    assert [each.judgement for each in judged(*lines, text=JOINED)][::2] == ["unproved", "wrong"]


def test_the_answer_sat_claims_that_no_fact_of_the_query_is_derived() -> None:
    text = EVEN.replace("(=> (q x) (> x 3))", "(=> (q x) (> x 4))")
    wrong = judged("lemma p 0 (= p_0_n 0)", "answer sat", text=text)[-1]
    assert (wrong.predicate, wrong.level, wrong.judgement) == ("query!", "oo", "wrong")
    assert wrong.facts[-1] == "query!"


@pytest.mark.parametrize(
    ("state", "judgement"), [("(= p_0_n 4)", "right"), ("(= p_0_n 2)", "wrong"), ("(> p_0_n 1)", "wrong")]
)
def test_each_state_of_an_obligation_leads_into_its_parent(state: str, judgement: str) -> None:
    root, child = judged("obligation q 1 (= q_0_n 4)", f"obligation p 0 {state} of 1")
    assert root.judgement == "open"
    assert child.judgement == judgement
    if judgement == "wrong":
        assert set(second_solver.answers(child.script)) == {"unsat"}


def test_a_state_of_an_obligation_that_no_sample_has_is_found() -> None:
    child = judged("obligation q 1 (distinct q_0_n 1000)", "obligation p 0 (> p_0_n 3) of 1")[1]
    assert (child.judgement, child.reason) == ("wrong", "by no rule leads into its parent: p_0_n = 1000")


def test_right_states_of_an_obligation_need_no_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("obligation q 1 (> q_0_n 4)", "obligation p 0 (> p_0_n 4) of 1")
    monkeypatch.setattr(states, "_STATES", 0)
    assert judged(*lines)[1].judgement == "right"
    monkeypatch.setattr(prover, "OPTIONAL", 1)
    assert judged(*lines)[1].judgement == "open"
    monkeypatch.undo()
    monkeypatch.setattr(prover, "OPTIONAL", 1)
    assert judged(*lines)[1].judgement == "right"


def test_each_fact_follows_from_earlier_facts() -> None:
    facts = ["fact p (= p_0_n 0)", "fact p (= p_0_n 2)", "fact q (= q_0_n 4)", "fact p (= p_0_n 4)"]
    assert judgements(*facts) == ["right", "right", "wrong", "right"]


# rows holds of matrices whose rows are equal.
ROWS = """(declare-fun rows ((Array Int (Array Int Int))) Bool)
(assert (forall ((row (Array Int Int))) (rows ((as const (Array Int (Array Int Int))) row))))"""


@pytest.mark.parametrize(
    ("fact", "judgement"),
    [
        ("true", "wrong"),
        ("(= (select (select rows_0_n 0) 1) 2)", "wrong"),
        ("(= rows_0_n ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 3)))", "right"),
        ("(= rows_0_n ((as const (Array Int (Array Int Int))) (select rows_0_n 0)))", "right"),
    ],
)  # fmt: skip
def test_facts_about_constant_arrays_of_any_element_are_judged(fact: str, judgement: str) -> None:
    """cvc5 reads no constant array whose element is not a value."""
    (fact_judged,) = judged(f"fact rows {fact}", text=ROWS)
    assert fact_judged.judgement == judgement
    assert ("\n; A new constant replaces ((as const S) t)" in fact_judged.script) == (judgement == "wrong")


# r holds of what p or q holds of; p of 0, and q of nothing.
EITHER = """(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun r (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (or (p x) (q x)) (r x))))
(assert (forall ((x Int)) (=> (or (r x) (= x 7)) (q x))))
(assert (forall ((x Int)) (=> (not (or (not (r x)) (< x 9))) false)))"""


@pytest.mark.parametrize(
    ("lines", "judgement"),
    [
        (["lemma q 0 (= q_0_n 7)"], "right"),
        (["lemma q 0 false"], "wrong"),
        (["lemma q oo false", "lemma r oo (= r_0_n 0)", "answer sat"], "wrong"),
        (["lemma q 0 (= q_0_n 7)", "lemma p 0 false", "lemma r 1 (= r_0_n 7)"], "wrong"),
        (["lemma q 0 (= q_0_n 7)", "lemma p 0 (= p_0_n 0)", "lemma r 1 (= (* r_0_n (- r_0_n 7)) 0)"], "right"),
    ],
)  # fmt: skip
def test_an_atom_under_or_need_not_hold(lines: list[str], judgement: str) -> None:
    found = [each.judgement for each in judged(*lines, text=EITHER)]
    assert (judgement in found, "wrong" in found) == (True, judgement == "wrong")


def test_a_lemma_about_an_atom_that_is_not_used_excludes_nothing() -> None:
    text = """(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun r (Int) Bool)
    (assert (p 0))(assert (forall ((x Int)) (=> (or (p x) (q x)) (r x))))"""
    found = judged("lemma q 0 false", "lemma p 0 (= p_0_n 0)", "lemma r 1 (= r_0_n 5)", text=text)
    assert [each.judgement for each in found] == ["right", "right", "wrong"]


# r holds of what is above 5 in p, and below it in q.
BY_CASES = """(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun r (Int) Bool)
(assert (p 1))(assert (q 1))
(assert (forall ((x Int)) (=> (or (and (p x) (> x 5)) (and (q x) (< x 5))) (r x))))"""


@pytest.mark.parametrize(
    ("state", "judgement"), [("p 0 (= p_0_n 1)", "wrong"), ("p 0 (= p_0_n 6)", "right"), ("q 0 (= q_0_n 1)", "right")]
)
def test_an_obligation_leads_into_its_parent_by_an_atom_that_the_rule_needs(state: str, judgement: str) -> None:
    assert judged("obligation r 1 true", f"obligation {state} of 1", text=BY_CASES)[1].judgement == judgement


def test_a_state_that_may_not_be_one_of_the_step_shows_nothing() -> None:
    assert judgements("fact q (and (= q_0_n 4) (= (div 1 0) 3))") == ["unproved"]
    assert judgements("fact q (and (= q_0_n 4) (distinct (div 1 2) 3))") == ["wrong"]


def test_a_state_of_a_quantified_step_is_shown_by_cvc5() -> None:
    (wrong,) = judged("fact q (exists ((aux Int)) (and (= q_0_n (* 2 aux)) (< 4 aux 6)))")
    assert wrong.judgement == "wrong"
    assert second_solver.answers(wrong.script) == ("unsat", "unsat")


def test_facts_may_follow_from_one_that_is_not_read() -> None:
    assert judgements("fact p (= p_0_n foo)", "fact p (= p_0_n 8)") == ["open", "right"]
    assert judgements("fact p (= p_0_n 8)") == ["wrong"]


def test_the_answer_sat_is_judged_before_the_lemmas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "MOST_JUDGED", 1)
    text = EVEN.replace("(=> (q x) (> x 3))", "(=> (q x) (> x 4))")
    found = judged("lemma p oo (= 0 (mod p_0_n 2))", "lemma q oo (<= 4 q_0_n)", "answer sat", text=text)
    assert [each.judgement for each in found] == ["open", "open", "wrong"]


def test_the_answer_sat_is_judged_without_any_step() -> None:
    assert judgements("answer unsat") == []
    (wrong,) = judged("answer sat", text=EVEN.replace("(=> (q x) (> x 3))", "(=> (q x) (> x 4))"))
    assert (wrong.predicate, wrong.judgement) == ("query!", "wrong")


@pytest.mark.parametrize("number", ["0.5", "0.50", "(/ 1.0 2.0)", "(/ 1 2)", "(- 1.5)", "1.0", "1"])
def test_numbers_are_read_as_they_are_written(number: str) -> None:
    text = "(declare-fun p (Real) Bool)(assert (forall ((x Real)) (p x)))"
    is_converted = number in ("(/ 1 2)", "1")
    assert judged(f"fact p (= p_0_n {number})", text=text)[0].judgement == ("open" if is_converted else "right")


def test_the_steps_of_a_run_whose_rules_are_not_read_are_open() -> None:
    log = """** expand-pob: p level: 0 depth: 1 exprID: 5 pobID: none
(= p_0_n 1)
"""
    found = reports(ObservedRun(text=EVEN, status="sat", log=log, printed=""))
    assert [(each.judgement, each.reason) for each in found] == [("open", "the rules of the run are not read")]


def test_rules_of_the_solver_take_the_place_of_those_of_the_file() -> None:
    rules = ["(declare-fun r (Int) Bool)", "rule (r 7)", "rule (forall ((x Int)) (=> (r x) (p x)))"]
    assert judgements(*rules, "lemma p 1 (= p_0_n 7)") == ["unproved"]
    assert judgements(*rules, "lemma r 0 (= r_0_n 7)", "lemma p 1 (= p_0_n 7)") == ["right", "right"]
    (wrong,) = judged(*rules, "lemma p 1 (= p_0_n 0)")
    assert wrong.facts == ("(r 7)", "(p 7)")


def test_a_declaration_alone_leaves_the_rules_of_the_file() -> None:
    assert judgements("(declare-fun r (Int) Bool)", "lemma p 0 (= p_0_n 1)") == ["wrong"]


def test_steps_over_a_constructor_with_the_name_of_an_argument_claim_nothing() -> None:
    """In `(= p_0_n nil)` it is not known whether the argument or the constructor is meant."""
    text = "(declare-datatypes ((L 0)) (((nil) (p_0_n))))(declare-fun p (L) Bool)(assert (p nil))"
    assert [each.judgement for each in judged("lemma p 0 (= p_0_n nil)", text=text)] == ["open"]


def test_the_work_for_a_run_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "MOST_JUDGED", 4)
    monkeypatch.setattr(run_claims, "MOST_SEARCHES", 2)
    lies = [f"lemma p 0 (= p_0_n {number})" for number in range(1, 7)]
    assert judgements(*lies) == ["wrong", "wrong", "unproved", "unproved", "open", "open"]


def test_witnesses_of_obligations_are_bounded_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_claims, "MOST_SEARCHES", 2)
    lies = (f"obligation p 0 (= p_0_n {number}) of 1" for number in (7, 9, 11))
    assert judgements("obligation p 1 (= p_0_n 2)", *lies) == ["open", "wrong", "wrong", "unproved"]


def test_the_facts_of_a_run_that_are_judged_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_judge, "MOST_FACTS", 2)
    assert judgements(*(f"fact p (= p_0_n {2 * number})" for number in range(4))) == ["right", "right", "open", "open"]


def test_lemmas_about_a_predicate_with_too_many_rules_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MOST_RULES", 2)
    assert judgements("lemma p 0 (= p_0_n 0)", "lemma q 0 false") == ["right", "open"]


def test_a_fact_without_states_claims_nothing_wrong() -> None:
    assert judgements("fact p (< p_0_n p_0_n)") == ["right"]


@pytest.mark.parametrize("parent", ["true", "(= q_0_n other)"])
def test_an_unsatisfiable_obligation_is_wrong_even_if_its_parent_is_not_read(parent: str) -> None:
    """A solver projects a model to an obligation, so the model satisfies it."""
    _, wrong = judged(f"obligation q 1 {parent}", "obligation p 0 (and (< p_0_n 3) (= p_0_n 4)) of 1")
    assert (wrong.judgement, wrong.component, wrong.exposing) == ("wrong", "projection", ())
    assert second_solver.answers(wrong.script) == ("unsat",)


def test_a_repetition_is_judged_once() -> None:
    assert judgements(*["lemma p 0 (= p_0_n 0)"] * 3) == ["right"]


@pytest.mark.parametrize(
    "line",
    ["lemma other 1 true", "lemma p 1 (= p_0_n", "lemma p 1 (f p_0_n)", "lemma p 1 p_0_n", "lemma p 1 (= p_1_n 0)"],
)
def test_a_step_that_is_not_read_claims_nothing(line: str) -> None:
    assert judgements(line) == ["open"]


def test_each_of_many_lies_is_wrong() -> None:
    lies = [f"lemma p 0 (= p_0_n {number})" for number in range(1, 40)]
    assert judgements(*lies) == ["wrong"] * len(lies)


def test_steps_that_are_not_wrong_may_be_suspicious(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unproved, not decided, guessed, and hard to prove."""
    right, unproved = "lemma p 1 (<= 0 p_0_n)", "lemma p 1 (< p_0_n 4)"
    lines = (unproved, "lemma p 0 (<= 0 p_0_n)", right, "obligation p 1 true")
    assert suspicious(judged(*lines)) == (1, 0, 1, 0, 0, 0)
    monkeypatch.setattr(prover, "HARD", 1)
    assert suspicious(judged(*lines)) == (1, 0, 1, 1, 0, 0)
    monkeypatch.setattr(frames, "MOST_RULES", 0)
    assert suspicious(judged(right)) == (0, 1, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("formula", "is_doubted"),
    [("(= p_0_n 0)", True), ("(and (<= 0 p_0_n) (<= p_0_n 1))", True), ("(and (<= 0 p_0_n) (<= p_0_n 2))", False)],
)
def test_a_lemma_that_leaves_at_most_two_facts_holds_barely(formula: str, is_doubted: bool) -> None:
    (step,) = judged(f"lemma p 0 {formula}")
    assert (step.judgement, step.doubts) == ("right", (BARELY,) if is_doubted else ())


def test_lemmas_that_hold_barely_are_searched_only_if_doubts_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames.Frames, "leaves_few", lambda *_: pytest.fail("a question about doubts"))
    (step,) = judged("lemma p 0 (= p_0_n 0)", has_doubts=False)
    assert (step.judgement, step.doubts) == ("right", ())


def test_the_last_lemma_of_a_frame_holds_barely_with_the_others() -> None:
    lines = ["lemma p 0 (<= 0 p_0_n)", "lemma p 0 (<= p_0_n 1)", "lemma q 0 (<= 0 q_0_n)"]
    assert [BARELY in step.doubts for step in judged(*lines)] == [False, True, False]


def test_a_lemma_without_facts_beside_it_holds_firmly() -> None:
    assert judged("lemma q 0 false")[0].doubts == ()


def test_a_lemma_that_is_learned_again_at_a_lower_level_is_doubted() -> None:
    bound = "(<= 0 p_0_n)"
    lines = [f"lemma p {level} {bound}" for level in (0, 2, 1)]
    assert [step.doubts for step in judged(*lines, lines[1])] == [(), (LOWERED,), ()]
    assert [step.doubts for step in judged(*lines[:2])] == [(), ()]
