"""Instances that are not needed are left out, and the others are rewritten; the interpolants still hold."""

import pytest
from chcfuzz.domains.interpolation.oracles.interpolant import Checker
from chcfuzz.domains.interpolation.solvers.instance_choice import needed, simplified
from chcfuzz.domains.interpolation.solvers.instances import Instances
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Status

from tests.domains.interpolation.solvers.test_instances import PATHS, UNIVERSAL
from tests.domains.interpolation.solvers.test_solvers import WATCHDOG, spacer

STATED = read(UNIVERSAL).problem


def test_instances_are_left_out_while_the_others_contradict_each_other() -> None:
    texts = ("(> a 3)", "(< (f b) 2)", "(> (f b) a)", "(> (f 7) a)", "(> (f a) a)")
    instances = [(0, parse_term(text, (), STATED)) for text in texts]
    found = needed(STATED, instances, 2, 100_000)
    assert [print_term(term) for _, term in found] == ["(> a 3)", "(< (f b) 2)", "(> (f b) a)"]


def test_conjuncts_of_the_problem_stay() -> None:
    instances = [(0, parse_term(text, (), STATED)) for text in ("(> a 3)", "(< a 2)", "(> b 0)")]
    assert needed(STATED, instances, 3, 100_000) == instances


def test_instances_are_rewritten_by_cvc5_on_their_sides() -> None:
    terms = [parse_term(text, (), STATED) for text in ("(and (> a 3) true (= b b))", "(> (f (+ b 0)) a)")]
    first, second = simplified(STATED, [(0, terms[0]), (1, terms[1])])
    assert (first[0], second[0]) == (0, 1)
    assert "true" not in print_term(first[1])
    assert "(f b)" in print_term(second[1])


@pytest.mark.parametrize("settings", [(("needed-only", "true"),), (("simplify", "true"),)])
def test_interpolants_with_a_setting_hold(settings: tuple[tuple[str, str], ...]) -> None:
    problem = read((PATHS / "list-axioms-2.smt2").read_text())
    outcome = Instances(spacer(), settings=settings).interpolate(problem, (), 1_000_000)
    assert outcome.status is Status.UNSAT
    assert Checker(WATCHDOG).check(problem, outcome).kind is VerdictKind.PASS
