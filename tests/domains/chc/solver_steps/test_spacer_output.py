"""The steps in Spacer's progress log and its output at verbosity 2."""

import pytest
from chcfuzz.domains.chc.solver_steps.spacer_output import broken_line, steps_in
from chcfuzz.domains.chc.solver_steps.steps import ALL_LEVELS, Lemma, Obligation, ReachFact

LOG = """** expand-pob: query!0 level: 1 depth: 0 exprID: 1 pobID: none
true

* LEVEL 1

** expand-pob: a level: b level: 0 depth: 1 exprID: 7 pobID: 1
(and (= x_0_n 1)
     (= x_1_n 2))

** expand-pob: q CONJ level: 0 depth: 1 exprID: 8 pobID: 7
q_0_n

** add-lemma: 1 exprID: 9 pobID: 7
a level: b
(forall ((z Int)) (< z x_0_n))
Bindings: z

Propagating

** add-lemma: oo exprID: 2 pobID: 1
query!0
false
"""
ROOT = Obligation("query!0", 1, "true")


def test_formulas_levels_and_parents_are_read() -> None:
    printed = "create_child: a level: b (0, 1) FAR 7 U 0.00\ncreate_child: q (0, 1) FAR 8 U 0.00"
    assert list(steps_in(LOG, printed)) == [
        ROOT,
        Obligation("a level: b", 0, "(and (= x_0_n 1)\n     (= x_1_n 2))", (("query!0", "true"),), is_exact=True),
        Obligation("q", 0, "q_0_n", (("a level: b", "(and (= x_0_n 1)\n     (= x_1_n 2))"),), is_exact=False),
        Lemma("a level: b", 1, "(forall ((z Int)) (< z x_0_n))"),
        Lemma("query!0", ALL_LEVELS, "false"),
    ]


def test_the_origin_of_a_lemma_is_its_obligation_or_propagation() -> None:
    lemmas = [step for step in steps_in(LOG, "") if isinstance(step, Lemma)]
    assert [(each.blocked, each.is_pushed) for each in lemmas] == [
        ("(and (= x_0_n 1)\n     (= x_1_n 2))", False),
        ("true", True),
    ]


CHILD = "\tcreate_child: q (0, 1) FAR 8 U 0.00\n"


@pytest.mark.parametrize(
    "broken",
    [
        "** add-lemWARNING: a\nma: oo exprID: 2 pobID: 1\n",
        "*WARNING: a\n* add-lemma: oo exprID: 2 pobID: 1\n",
        "WARNING: a** add-lemma: oo exprID: 2 pobID: 1\n",
        "** add-lemma: oo exprID: 2WARNING: a\n pobID: 1\n",
        "** add-lemma: ooWARNING exprID: 2 pobID: 1\n",
    ],
)
def test_other_output_in_the_line_of_a_step_is_noticed(broken: str) -> None:
    assert broken_line(LOG, CHILD) == ""
    log = LOG.replace("** add-lemma: oo exprID: 2 pobID: 1\n", broken)
    assert broken_line(log, "") in [line.strip() for line in broken.splitlines()]


def test_other_output_in_the_line_of_a_child_is_noticed() -> None:
    assert broken_line(LOG, CHILD.replace("FAR 8", "FARWARNING: a\n 8")).startswith("create_child: q (0, 1) FARW")


def test_other_lines_between_steps_and_a_cut_last_line_break_nothing() -> None:
    assert broken_line(f"{LOG}** add-lem", f"WARNING: a\n{CHILD}\tcreate_child: q (0") == ""
    assert broken_line(LOG.replace("Propagating", "WARNING: a\nPropagating\nWARNING: b"), "") == ""


def test_an_obligation_ends_propagation() -> None:
    log = LOG.replace(
        "** add-lemma: oo", "** expand-pob: q level: 0 depth: 1 exprID: 8 pobID: 7\nq_0_n\n\n** add-lemma: oo"
    )
    assert not any(step.is_pushed for step in steps_in(log, "") if isinstance(step, Lemma))


def test_facts_of_a_patched_build_come_in_their_place() -> None:
    fact = "** add-fact: q\n(exists ((aux!1 Int))\n  (= q_0_n aux!1))\n\n"
    steps = list(steps_in(LOG.replace("Propagating", f"{fact}Propagating"), ""))
    assert steps[4] == ReachFact("q", "(exists ((aux!1 Int))\n  (= q_0_n aux!1))")
    assert [step for step in steps if not isinstance(step, ReachFact)] == list(steps_in(LOG, ""))


def test_an_obligation_of_a_weak_model_is_not_exact() -> None:
    for how in ("UNDEF", "", "U 0.00\n\tcreate_child: a level: b (0, 1) FAR 7 UNDEF"):
        steps = list(steps_in(LOG, f"create_child: a level: b (0, 1) FAR 7 {how} 0.00"))
        assert [step.is_exact for step in steps if isinstance(step, Obligation)] == [False, False, False]


def test_a_log_that_is_cut_ends_with_the_text_that_is_there() -> None:
    for length in range(len(LOG)):
        for step in steps_in(LOG[:length], ""):
            assert step.formula in LOG
