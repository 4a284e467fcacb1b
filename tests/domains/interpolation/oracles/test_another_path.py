"""The side A refutes all that its interpolant refutes: this decides implications that are too hard for Z3."""

import pytest
from chcfuzz.domains.interpolation.oracles.another_path import not_refuted, other_rests
from chcfuzz.domains.interpolation.oracles.interpolant import Checker
from chcfuzz.domains.interpolation.solvers.quick_z3 import Queries
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.problem import Assertion
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.terms import negation
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status, Texts
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING

WATCHDOG = Watchdog(60.0)
RLIMIT = 500_000
HARD_RLIMIT = 2_000_000  # the path takes 30,000 or 51,000 units, by what the process did before, and gets a tenth
PAIR = read("""(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (! (and (> x 3) (= y (+ x 1))) :interpolation-group g0))
(assert (! (and (< y z) (< z 4)) :interpolation-group g1))
""")
CUBES = read("""(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const w Int)
(assert (! (= w (+ (* x x x) (* y y y) (* z z z))) :interpolation-group g0))
(assert (! (and (or (= w 4) (= w 1)) (not (= w 1))) :interpolation-group g1))
""")
TOO_STRONG = "(not (or (= w 4) (= w 42) (= w 114) (= w 1)))"  # 1 is a sum of three cubes


def test_other_rests_negate_a_conjunct_the_last_one_first() -> None:
    _, rest = PAIR.sides(0)
    found = [tuple(map(print_term, each)) for each in other_rests(rest)]
    assert found[0] == ("(< y z)", "(not (< z 4))")
    assert found[1] == ("(not (< y z))", "(< z 4)")
    assert found[2:] == [("(< y z)",), ("(< z 4)",)]


@pytest.mark.parametrize(("text", "is_wrong"), [("(> y 4)", False), ("(> y 7)", True)])
def test_a_path_that_an_interpolant_refutes_and_its_prefix_does_not_has_a_model(text: str, is_wrong: bool) -> None:
    a, _ = PAIR.sides(0)
    plain = PAIR.problem
    rest = [parse_term("(and (< y z) (< z 7) (< z 8))", (), plain)]  # A with it has a model for y = 5
    found = not_refuted(plain, a, rest, parse_term(text, (), plain), Queries(WATCHDOG, RLIMIT).answer)
    assert (found is not None) is is_wrong


@pytest.mark.slow
def test_an_implication_that_z3_does_not_decide_is_decided_on_another_path() -> None:
    queries = Queries(WATCHDOG, HARD_RLIMIT)
    (a,), _ = CUBES.sides(0)
    wrong = parse_term(TOO_STRONG, (), CUBES.problem)
    stated = [Assertion(a), Assertion(negation(wrong))]
    answer, _ = queries.answer(CUBES.problem.with_assertions(stated))
    assert answer == "unknown"
    outcome = Outcome(Status.UNSAT, "", NOTHING, 0, 0.0, extra=Texts((TOO_STRONG,)))
    verdict = Checker(WATCHDOG, HARD_RLIMIT).check(CUBES, outcome)
    assert (verdict.kind, verdict.detail) == (VerdictKind.WRONG_INTERPOLANT, "cut 1 of 1: it is not implied by A")
    assert "another path" in verdict.evidence
