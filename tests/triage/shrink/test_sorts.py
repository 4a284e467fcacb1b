"""Constants of one sort become constants of a simpler one."""

import pytest
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.triage.shrink import sorts

SYSTEM = """(declare-fun p ({sort}) Bool)
(assert (p {value}))
(assert (forall ((x {sort})) (=> (p x) false)))
(check-sat)"""


@pytest.mark.parametrize(
    ("sort", "value", "number", "truth"),
    [
        ("String", '"ab"', "2", "true"),
        ("String", '""', "0", "false"),
        ("(Seq Int)", "(as seq.empty (Seq Int))", "0", "false"),
        ("(_ FloatingPoint 3 5)", "(fp #b0 #b100 #x0)", "2", "true"),
        ("Real", "2.5", "2", "true"),
        ("(_ BitVec 4)", "#b0101", "5", "true"),
    ],
)
def test_a_constant_keeps_its_number(sort: str, value: str, number: str, truth: str) -> None:
    system = parse(SYSTEM.format(sort=sort, value=value))
    found = set()
    for targets in (sorts.to_int, sorts.to_bool):
        for change in sorts.changes(targets)(system):
            after = sorts.resorted(system, [change])
            found |= set() if after is None else {print_system(after).partition("(assert (p ")[2].partition(")")[0]}
    assert found == {number, truth}
