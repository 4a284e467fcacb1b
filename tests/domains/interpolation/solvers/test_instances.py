"""Quantified problems are interpolated by instances, in which no term mixes the symbols of two sides."""

from pathlib import Path

import pytest
from chcfuzz.domains.interpolation.oracles.interpolant import Checker
from chcfuzz.domains.interpolation.solvers.instances import Instances
from chcfuzz.domains.interpolation.solvers.purification import Purification
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.grammar.interpolation.grouped import Interpolation, symbols_of
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status, texts_of

from tests.domains.interpolation.solvers.test_solvers import AXIOM, SEQUENCE, WATCHDOG, spacer
from tests.targets import ROOT

PATHS = ROOT / "corpus-itp" / "paths"
UNIVERSAL = """(declare-fun f (Int) Int)(declare-const a Int)(declare-const b Int)
(assert (! (forall ((i Int)) (> (f i) a)) :interpolation-group g0))
(assert (! (> a 3) :interpolation-group g0))
(assert (! (< (f b) 2) :interpolation-group g1))
"""


def solve(problem: Interpolation) -> Outcome:
    return Instances(spacer()).interpolate(problem, (), 1_000_000)


@pytest.mark.parametrize("path", sorted(PATHS.glob("*-axioms-2.smt2")), ids=lambda path: path.stem)
def test_paths_with_axioms_are_interpolated(path: Path) -> None:
    problem = read(path.read_text())
    outcome = solve(problem)
    assert (outcome.status, len(texts_of(outcome))) == (Status.UNSAT, 1)
    assert Checker(WATCHDOG).check(problem, outcome).kind is VerdictKind.PASS


def test_a_term_of_side_b_in_an_instance_of_side_a_is_quantified() -> None:
    problem = read(UNIVERSAL)
    outcome = solve(problem)
    assert texts_of(outcome)[0].startswith("(forall ((mixed Int))")
    assert Checker(WATCHDOG).check(problem, outcome).kind is VerdictKind.PASS


def test_quantifiers_alternate_and_occur_inside_of_formulas() -> None:
    problem = read("""(declare-fun f (Int) Int)(declare-const p Bool)(declare-const a Int)(declare-const b Int)
(assert (! (or p (forall ((i Int)) (exists ((j Int)) (and (> j i) (= (f i) j))))) :interpolation-group g0))
(assert (! (not (and p (exists ((i Int)) (= i a)))) :interpolation-group g0))
(assert (! (or (< (f b) b) (exists ((k Int)) (forall ((l Int)) (< (f k) l)))) :interpolation-group g1))
""")
    outcome = solve(problem)
    assert outcome.status is Status.UNSAT
    assert Checker(WATCHDOG).check(problem, outcome).kind is VerdictKind.PASS


def test_each_stage_has_its_own_reason() -> None:
    assert solve(read(SEQUENCE)).reason == "only pairs are supported"
    inner = UNIVERSAL.replace("(> a 3)", "(> (ite (forall ((i Int)) (> i a)) 9 a) 3)")
    assert solve(read(inner)).reason == "a quantifier inside of a term"
    assert solve(read(UNIVERSAL.replace("(f b) 2", "(f b) 9"))).status in (Status.SAT, Status.UNKNOWN)
    assert solve(read(AXIOM)).status is Status.UNSAT


def test_pure_terms_have_the_symbols_of_one_side_and_new_constants() -> None:
    problem = read("""(declare-fun f (Int) Int)(declare-fun g (Int) Int)(declare-const a Int)(declare-const b Int)
(assert (! (= (f a) 1) :interpolation-group g0))
(assert (! (= (g b) 1) :interpolation-group g1))
""")
    vocabularies = tuple(symbols_of(*side) for side in problem.sides(0))
    pure = Purification((vocabularies[0], vocabularies[1]), set(problem.declared_names))
    mixed = parse_term("(> (f (+ (g (f a)) b)) (g a))", (), problem.problem)
    found = [pure.pure(mixed, side) for side in (0, 1)]
    new = set(pure.constants)
    for side, terms in enumerate(([found[0], *pure.definitions[0]], [found[1], *pure.definitions[1]])):
        assert symbols_of(*terms) - new <= vocabularies[side]
    assert list(map(print_term, found)) == ["(> (f (+ mixed!1 mixed!2)) mixed!4)", "(> mixed!5 (g mixed!3))"]
    definitions = [list(map(print_term, each)) for each in pure.definitions]
    assert definitions == [
        ["(= mixed (f a))", "(= mixed!3 a)", "(= mixed!5 (f (+ mixed!1 mixed!2)))"],
        ["(= mixed!1 (g mixed))", "(= mixed!2 b)", "(= mixed!4 (g mixed!3))"],
    ]
