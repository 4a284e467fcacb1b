"""Spacer and Bitwuzla give interpolants that hold; the outcome of another problem has a reason."""

import pytest
from chcfuzz.domains.interpolation.oracles.interpolant import Checker
from chcfuzz.domains.interpolation.solvers.bitwuzla import BitwuzlaInterpolator
from chcfuzz.domains.interpolation.solvers.interpolator import Interpolator
from chcfuzz.domains.interpolation.solvers.spacer import InterpolatingSpacer
from chcfuzz.domains.interpolation.solvers.trivial import TRIVIAL, refused
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status, texts_of
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog

WATCHDOG = Watchdog(60.0)
RLIMIT = 1_000_000
PAIR = """(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (! (and (> x 3) (= y (+ x 1))) :interpolation-group g0))
(assert (! (and (< y z) (< z 4)) :interpolation-group g1))
"""
SEQUENCE = """(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))(declare-const c (_ BitVec 4))
(assert (! (bvult a b) :interpolation-group g0))
(assert (! (bvult b c) :interpolation-group g1))
(assert (! (bvult c a) :interpolation-group g2))
"""
TREE = """(set-info :interpolation-parents "g2 g2")
(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (! (> x 3) :interpolation-group g0))
(assert (! (< y x) :interpolation-group g0))
(assert (! (and (> z 5) (= z x)) :interpolation-group g1))
(assert (! (< x 2) :interpolation-group g2))
"""
AXIOM = """(declare-const x Int)(declare-const y Int)(declare-const n Int)
(assert (! (> x n) :interpolation-group g0))
(assert (! (= n 7) :interpolation-group axiom))
(assert (! (and (= y x) (< y 5)) :interpolation-group g1))
"""


def spacer() -> InterpolatingSpacer:
    return InterpolatingSpacer(ProgressLog(), WATCHDOG)


def solve(solver: Interpolator, text: str, *parameters: tuple[str, str]) -> tuple[Interpolation, Outcome]:
    problem = read(text)
    return problem, solver.interpolate(problem, parameters, RLIMIT)


@pytest.mark.parametrize("text", [PAIR, TREE, AXIOM, SEQUENCE])
def test_spacer_gives_interpolants_that_hold(text: str) -> None:
    problem, outcome = solve(spacer(), text)
    assert outcome.status is Status.UNSAT
    assert len(texts_of(outcome)) == problem.cuts
    assert Checker(WATCHDOG).check(problem, outcome).kind is VerdictKind.PASS
    assert outcome.cost > 0


def test_spacer_solves_problems_over_bit_vectors_alone_within_its_limit() -> None:
    overflow = """(declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))(declare-const s (_ BitVec 8))
(assert (! (and (= s (bvadd a b)) (bvult s a)) :interpolation-group g0))
(assert (! (and (bvule a #x7f) (bvule b #x7f)) :interpolation-group g1))
"""
    _, outcome = solve(spacer(), overflow)  # by default, Z3 lets Datalog enumerate the values
    assert outcome.status is Status.UNSAT
    assert outcome.cost < RLIMIT


@pytest.mark.parametrize("options", [(), (("interpolants-algo", "pudlak"),), (("interpolants-lift", "false"),)])
def test_bitwuzla_gives_interpolants_that_hold(options: tuple[tuple[str, str], ...]) -> None:
    problem, outcome = solve(BitwuzlaInterpolator(), SEQUENCE, *options)
    assert (outcome.status, len(texts_of(outcome)), outcome.left_out) == (Status.UNSAT, 2, ())
    assert Checker(WATCHDOG).check(problem, outcome).kind is VerdictKind.PASS


def test_an_interpolant_is_in_the_constants_of_the_problem() -> None:
    _, outcome = solve(spacer(), PAIR)
    assert texts_of(outcome) == ("(not (<= y 4))",)


@pytest.mark.parametrize("solver", [spacer(), BitwuzlaInterpolator()])
def test_a_problem_with_a_model_is_sat(solver: Interpolator) -> None:
    _, outcome = solve(solver, SEQUENCE.replace("(bvult c a)", "(bvult a c)"))
    assert (outcome.status, texts_of(outcome)) == (Status.SAT, ())


def test_what_a_solver_does_not_take_is_unsupported_with_its_reason() -> None:
    _, outcome = solve(BitwuzlaInterpolator(), PAIR)
    assert outcome.status is Status.UNSUPPORTED
    assert "invalid sort 'Int'" in outcome.reason
    _, outcome = solve(
        BitwuzlaInterpolator(), SEQUENCE.replace("(declare", '(set-info :interpolation-parents "g2 g2")(declare', 1)
    )
    assert (outcome.status, outcome.reason) == (Status.UNSUPPORTED, "trees of groups are not supported")
    text = "(declare-sort U 0)(declare-const u U)(declare-const v U)(assert (! (= u v) :interpolation-group g0))"
    _, outcome = solve(spacer(), text + "(assert (! (distinct u v) :interpolation-group g1))")
    assert outcome.status is Status.UNSUPPORTED
    assert "the sort U is uninterpreted" in outcome.reason


def test_spacer_takes_functions_as_arrays() -> None:
    text = (
        "(declare-fun f (Int) Int)(declare-const x Int)(assert (! (and (= x 1) (> (f x) 2)) :interpolation-group g0))"
    )
    problem, outcome = solve(spacer(), text + "(assert (! (< (f 1) 0) :interpolation-group g1))")
    assert "(f 1)" in texts_of(outcome)[0]
    assert Checker(WATCHDOG).check(problem, outcome).kind is VerdictKind.PASS


def test_the_same_problem_has_the_same_features_twice() -> None:
    for solver, text in ((spacer(), PAIR), (BitwuzlaInterpolator(), SEQUENCE)):
        first, second = solve(solver, text)[1], solve(solver, text)[1]
        assert first.trace.hash == second.trace.hash
        assert first.trace.length > 5


def test_a_problem_with_an_unsatisfiable_side_at_every_cut_is_trivial() -> None:
    assert refused(read(PAIR), WATCHDOG) == ""
    assert refused(read(PAIR.replace("(> x 3)", "(> x x)")), WATCHDOG) == TRIVIAL
    instance = "(declare-fun f (Int) Int)(assert (! (forall ((k Int)) (> (f k) x)) :interpolation-group g0))"
    assert refused(read(PAIR + instance), WATCHDOG) == ""
    assert refused(read(PAIR + instance + "(assert (! (< (f 1) x) :interpolation-group g0))"), WATCHDOG) == TRIVIAL
    one = Interpolation.of(read(PAIR).problem, (0, 0))
    assert refused(one, WATCHDOG) == "1 groups of assertions: an interpolant needs two"
