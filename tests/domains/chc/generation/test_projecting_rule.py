"""A formula becomes a system in several forms, whose status is that of its query."""

import pytest
from chcfuzz.domains.chc.generation.projecting_rule import FORMS, ProjectingRule, SystemForm
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.terms import integer
from chcfuzz.oracles import second_solver

READS = parse.problem(
    "(declare-const a (Array Int Int))(declare-const x Int)(assert (and (< 0 (select a 0)) (< (select a 0) x)))"
)
MODEL = {"a": parse.parse_term("((as const (Array Int Int)) 1)"), "x": integer(5)}
RULE = ProjectingRule(READS, READS.functions[:1], MODEL)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_a_system_with_its_status(form: SystemForm) -> None:
    system = RULE.system({"x": integer(0)}, "sat", form)
    assert system.status == "sat"
    assert len(system.predicates) == 1 + form.has_source
    assert "(reached 0 0)" in print_system(system)


def test_without_a_status_none_is_declared() -> None:
    assert RULE.system({"x": integer(0)}, "", FORMS[0]).status is None


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("value", "answer"), [(0, "sat"), (5, "unsat")])
def test_the_status_is_that_of_the_query(value: int, answer: str, form: SystemForm) -> None:
    system = RULE.system({"x": integer(value)}, answer, form)
    assert second_solver.answers(print_system(system)) in ((answer,), ("unknown",), ())
