"""The solver's formulas where the logs of a failing and of a passing run part."""

import pytest
from chcfuzz.execution.solving import Solving
from chcfuzz.triage.locate.first_difference import parting_values
from chcfuzz.triage.locate.pool import Neighbour, RunPool
from chcfuzz.triage.reduce.condition import Condition

from tests.traced import TRACED, needs_traced_build
from tests.triage.reduce.test_reduction import DOUBLED, solving

LOG = b"""* LEVEL 1

** expand-pob: p level: 1 depth: 0 exprID: 1 pobID: none
(and (> p_0_n 0)
     (= p_1_n 0))

** add-lemma: 1 exprID: 2 pobID: 1
p
(or (not (= p_0_n 0)) (< p_1_n 1))

Propagating
"""


def test_the_first_different_formula_is_shown_beside_that_of_the_passing_run_with_the_longest_beginning() -> None:
    near, far = LOG.replace(b"(< p_1_n 1)", b"(< p_1_n 2)"), LOG.replace(b"(= p_1_n 0)", b"(= p_1_n 1)")
    assert parting_values(LOG, [("a=1", far), ("b=2", near)]) == (
        "entry 2, after expand-pob of p at level 1, depth 0",
        "failing: add-lemma of p at level 1",
        "  (or (not (= p_0_n 0)) (< p_1_n 1))",
        "passing (b=2): add-lemma of p at level 1",
        "  (or (not (= p_0_n 0)) (< p_1_n 2))",
    )


def test_numbers_of_expressions_do_not_differ_and_an_end_does() -> None:
    assert parting_values(LOG, [("a=1", LOG.replace(b"exprID: 2 pobID: 1", b"exprID: 7 pobID: 3"))]) == ()
    shorter = LOG[: LOG.index(b"Propagating")]
    assert parting_values(LOG, [("a=1", shorter)])[1:] == ("failing: propagate", "passing (a=1): the end")
    assert parting_values(LOG, []) == parting_values(b"", [("a=1", LOG)]) == ()


def test_a_long_formula_is_cut() -> None:
    long = LOG.replace(b"(= p_1_n 0)", b"\n".join(b"(= p_1_n %d)" % n for n in range(20)))
    lines = parting_values(long, [("a=1", LOG)])
    assert lines[8] == "  ... 15 more lines"


@pytest.mark.parametrize(
    "given",
    [
        solving("Spacer", "chcfuzz.domains.chc.solvers.spacer"),
        pytest.param(Solving(z3_library=TRACED), marks=[pytest.mark.slow, needs_traced_build]),
    ],
    ids=["release", "traced"],
)
def test_a_process_returns_the_log_of_a_run(given: Solving) -> None:
    with RunPool(Condition("wrong-answer", "unsat"), given) as pool:
        log = pool.log(Neighbour("the finding", DOUBLED))
    assert b"** expand-pob: " in log
    assert b"* LEVEL 1" in log
