"""Reduction drops patterns one by one."""

from chcfuzz.domains.smt import passes
from chcfuzz.domains.smt.patterns import with_patterns, without_patterns
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading.parse import problem

TEXT = """(declare-fun f (Int) Int)
(assert (forall ((x Int)) (! (=> (exists ((y Int)) (! (= (f y) x) :pattern ((f y)))) (> (f x) 0)) :pattern ((f x)))))
(assert (forall ((z Int)) (> (f z) z)))
"""


def test_each_quantifier_loses_its_patterns() -> None:
    stated = problem(TEXT)
    outer, inner = with_patterns(stated)
    one = without_patterns(stated, [inner])
    assert print_problem(one).count(":pattern") == 1
    assert with_patterns(one)[0].patterns == outer.patterns
    none = without_patterns(stated, [outer, inner])
    assert with_patterns(none) == []
    assert passes.size(none) < passes.size(one) < passes.size(stated)
    assert passes.is_sound(none)
    assert "drop patterns (1 of 2)" in [name for name, _ in passes.single_edits(stated)]
