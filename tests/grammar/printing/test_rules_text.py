"""CHC systems as rules and a query: the same system when it is read again, and the opposite answer of Z3."""

import pytest
import z3
from chcfuzz.grammar.printing.rules_text import OPPOSITE, print_rules
from chcfuzz.grammar.reading.parse import parse

SAT = """(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun query! () Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (p x) (<= x 5))))
(check-sat)
"""


@pytest.mark.parametrize(("text", "answer"), [(SAT, "sat"), (SAT.replace("(<= x 5)", "(< x 5)"), "unsat")])
def test_the_query_is_reachable_if_the_system_is_unsat(text: str, answer: str) -> None:
    rules = print_rules(parse(text, "system"))
    assert "(query query!!)" in rules
    context = z3.Context()
    assert z3.Z3_eval_smtlib2_string(context.ref(), rules).strip() == OPPOSITE[answer]
    assert z3.Z3_eval_smtlib2_string(z3.Context().ref(), text).strip() == answer


def test_rules_are_read_as_the_system() -> None:
    system = parse(SAT, "system")
    again = parse(print_rules(system), "rules")
    assert len(again.clauses) == len(system.clauses) + 1
