"""Variants of a problem: other names, other orders, the same answer, and each once."""

from chcfuzz.domains.interpolation.domain import DOMAIN as INTERPOLATION
from chcfuzz.domains.smt.domain import DOMAIN as SMT
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.triage.shrink.variants import variants_of_system

from tests.triage.examine.test_examination import SAT

PROBLEM = """(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (< x y))
(assert (> x 2))
(assert (= y 7))
(check-sat)
"""
INTERPOLANTS = """(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (! (< x y) :interpolation-group g0))
(assert (! (> x 2) :interpolation-group g0))
(assert (! (< y 1) :interpolation-group g1))
(check-sat)
"""


def test_variants_of_a_system_differ_in_names_and_order_alone() -> None:
    system = parse(SAT, "sat")
    found = dict(variants_of_system(system))
    assert list(found)[:2] == ["names q, r, s", "reversed order"]
    assert found["names q, r, s"].predicates[0].name == "q"
    assert found["reversed order"].clauses == system.clauses[::-1]
    assert found["rotated order"].clauses == (*system.clauses[1:], system.clauses[0])
    combined = found["names q, r, s, rotated order"]
    assert [str(clause.formula) for clause in combined.clauses] == [
        str(clause.formula) for clause in (*found["names q, r, s"].clauses[1:], found["names q, r, s"].clauses[0])
    ]
    assert system not in found.values()
    assert len({print_system(variant) for variant in found.values()}) == len(found)


def test_a_name_that_is_taken_gives_no_variant() -> None:
    text = SAT.replace("inv", "p")
    taken = text.replace("(declare-fun", "(declare-datatypes ((D 0)) (((q))))\n(declare-fun", 1)
    assert "names q, r, s" in dict(variants_of_system(parse(text, "sat")))
    assert "names q, r, s" not in dict(variants_of_system(parse(taken, "taken")))
    assert "names inv, inv1" in dict(variants_of_system(parse(taken, "taken")))


def test_variants_of_an_smt_problem_rename_functions_and_reorder_assertions() -> None:
    problem = SMT.roots.parse(PROBLEM, "problem")
    found = {name: SMT.roots.print(variant) for name, variant in SMT.variants(problem)}
    assert "(assert (< q r))" in found["names q, r, s"]
    lines = [line for line in found["reversed order"].splitlines() if "assert" in line]
    assert lines == ["(assert (= y 7))", "(assert (> x 2))", "(assert (< x y))"]
    assert len(found) == 6


def test_variants_of_an_interpolation_problem_keep_the_groups() -> None:
    problem = INTERPOLATION.roots.parse(INTERPOLANTS, "problem")
    found = dict(INTERPOLATION.variants(problem))
    assert "names inv, inv1" in found
    for variant in found.values():
        assert sorted(variant.labels) == [0, 0, 1]  # type: ignore[attr-defined]
