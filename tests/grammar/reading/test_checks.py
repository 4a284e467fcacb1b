"""Scripts with several checks, levels and assumptions: forms of one problem, which the reader restores."""

from __future__ import annotations

from dataclasses import replace

import pytest
from chcfuzz.grammar.form import KINDS, ONCE, Checks, checks_of
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.parse import checks, problem

PLAIN = problem("""(set-info :status sat)(set-info :source us)
(declare-const p Bool)(declare-const assume!1 Bool)(declare-const q Bool)
(define-fun either ((x Bool)) Bool (xor x p))
(assert (or p q))(assert (=> (either q) (=> p assume!1)))(assert (! (either true) :named n))(assert (not q))""")
FORMS = [Checks(), *(Checks(kind, at) for kind in KINDS if kind != ONCE for at in (0, 1, 3, 9))]


def stated(form: Checks) -> Problem:
    return replace(PLAIN, form=replace(PLAIN.form, checks=form))


def body(form: Checks) -> list[str]:
    """Return the script from its first assertion on, without the declarations before it."""
    lines = print_problem(stated(form)).splitlines()
    return lines[next(number for number, line in enumerate(lines) if line.startswith(("(assert", "(push"))) :]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_every_form_reads_back_as_the_same_problem(form: Checks) -> None:
    printed = print_problem(stated(form))
    assert problem(printed) == stated(form)
    assert print_problem(problem(printed)) == printed
    assert checks(printed)[-1] == stated(form)
    assert checks_of(str(form)) == form


def test_the_commands_of_each_form() -> None:
    status = ["(set-info :status sat)", "(set-info :source us)"]
    first, second, third, last = body(Checks())[:-1]
    assert body(Checks("twice")) == [first, second, third, last, "(check-sat)", *status, "(check-sat)"]
    assert body(Checks("between", 2)) == [first, second, "(check-sat)", third, last, *status, "(check-sat)"]
    assert body(Checks("push", 3)) == [first, second, third, "(push 1)", last, *status, "(check-sat)"]
    levels = ["(push 1)", "(assert (either true))", last, "(check-sat)", "(pop 1)", "(push 1)", third, last]
    assert body(Checks("again", 2)) == [first, second, *levels, *status, "(check-sat)"]
    aside = ["(push 1)", "(assert (not (or p q)))", "(check-sat)", "(pop 1)"]
    assert body(Checks("aside", 0)) == [first, second, third, last, *aside, *status, "(check-sat)"]
    assert body(Checks("assume", 1)) == [
        first,
        "(assert (=> assume!1!1 (=> (either q) (=> p assume!1))))",
        third,
        "(assert (=> assume!3 (not q)))",
        *status,
        "(check-sat-assuming (assume!1!1 assume!3))",
    ]


def test_other_notes_about_checks_are_kept_as_notes() -> None:
    for text in ("never-1", "twice", "twice-x"):
        read = problem(f"(set-info :chcfuzz-checks {text})(declare-const p Bool)(assert p)(check-sat)")
        assert read.form.checks == Checks()
        assert read.info == (("chcfuzz-checks", text),)
