"""Reduction expands the definitions that a finding does not need."""

from dataclasses import replace

from chcfuzz.domains.smt import passes
from chcfuzz.grammar.form import Checks, Form
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.triage.shrink.search import one_by_one

TEXT = """(declare-const a Int)
(define-fun more ((x Int)) Int (+ x a 1))
(define-fun most ((x Int)) Int (* (more x) (more a)))
(assert (> (most a) 5))
(assert (< a 100))
"""


def shrunk(needed: str) -> str:
    def has_it(candidate: Problem) -> bool:
        return needed in print_problem(candidate)

    *_, last = passes.shrink(problem(TEXT), one_by_one(has_it), lambda _: None)
    return print_problem(last.system)


def test_definitions_are_expanded_or_kept() -> None:
    assert "define-fun" not in shrunk("(* (+ ")
    kept = shrunk("(more ")
    assert "(define-fun more ((x Int)) Int" in kept
    assert "most" not in kept
    assert "100" not in kept


def test_a_definition_counts_for_the_size_and_is_a_single_edit() -> None:
    stated = problem(TEXT)
    edits = dict(passes.single_edits(stated))
    one = edits["expand definitions (1 of 2)"]
    assert "more" not in print_problem(one)
    assert passes.size(one) < passes.size(stated)
    assert passes.is_sound(one)


def test_a_script_has_one_check_unless_a_finding_needs_more() -> None:
    stated = replace(problem(TEXT), form=Form(checks=Checks("again", 1)))

    def smallest(needed: str) -> str:
        *_, last = passes.shrink(stated, one_by_one(lambda each: needed in print_problem(each)), lambda _: None)
        return print_problem(last.system)

    assert "(push 1)" not in smallest("100")
    assert smallest("(pop 1)").count("(check-sat)") == 2
