"""Constants that do not matter: every tried value passes the test, and few are tried."""

from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.sorts import BOOL, INT, bitvec
from chcfuzz.grammar.system import as_system
from chcfuzz.grammar.terms import Value
from chcfuzz.triage.shrink.explain import MOST, Replaceable, other_values, replaceable

SYSTEM = """(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int)) (=> (p x 1) false)))
(check-sat)
"""


def test_a_constant_matters_if_one_value_does_not_pass() -> None:
    """The bug needs the first 0 and any other numbers, but none above a million in the query."""

    def passes(problem: BaseProblem) -> bool:
        text = print_system(as_system(problem))
        return "(p 0 " in text and "(p x 1000003)" not in text

    found = list(replaceable(parse(SYSTEM, "system"), passes))
    assert found == [Replaceable(1, "0", 2, ("7", "(- 5)", "1000003"))]


def test_few_constants_are_tried() -> None:
    clauses = "".join(f"(assert (p {number} 0))" for number in range(MOST))
    text = SYSTEM.replace("(assert (p 0 0))", clauses)
    tried: list[BaseProblem] = []
    assert list(replaceable(parse(text, "system"), lambda problem: bool(tried.append(problem)))) == []
    assert len(tried) == MOST


def test_other_values_are_of_the_sort() -> None:
    assert other_values(Value(7, INT)) == [Value(-5, INT), Value(1000003, INT), Value(2, INT)]
    assert other_values(Value(1, bitvec(1))) == [Value(0, bitvec(1))]
    assert other_values(Value(True, BOOL)) == []
