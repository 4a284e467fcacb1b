"""Scripts with levels, checks and assumptions keep them: the text of the last check's problem has them again."""

import pytest
from chcfuzz.grammar.form import Checks
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading.parse import checks, left_out, parse_term, problem
from chcfuzz.grammar.reading.problem_script import ProblemScript
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Function
from chcfuzz.grammar.written_checks import removable

HEAD = "(set-logic QF_LIA)(declare-const x Int)(declare-const b Bool)"
SCRIPT = f"""{HEAD}(push 1)(declare-const y Int)(assert (> y x))(check-sat)(push 2)(assert (< y x))
(check-sat-assuming (b (not b)))(pop 2)(pop 1)(assert (! (> x 3) :named n))(push 1)(declare-const y Bool)
(assert (=> y (< x 10)))(check-sat)(assert (> x 5))(check-sat-assuming ((not b) y))(get-option :verbosity)"""
COMMANDS = """(push 1) (assert (> y!1 x)) (check-sat) (push 1) (push 1) (assert (< y!1 x))
(check-sat-assuming (b (not b))) (pop 1) (pop 1) (pop 1)
(assert (! (> x 3) :named n)) (push 1) (assert (=> y (< x 10))) (check-sat) (assert (> x 5))
(check-sat-assuming ((not b) y))"""


def commands(stated: Problem) -> str:
    """Return the commands behind the declarations."""
    lines = print_problem(stated).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(("(assert", "(push", "(check")))
    return " ".join(lines[first:])


def test_a_script_keeps_its_levels_checks_and_assumptions() -> None:
    read = problem(SCRIPT)
    assert commands(read) == " ".join(COMMANDS.split())
    assert problem(print_problem(read)) == read
    assert print_problem(problem(print_problem(read))) == print_problem(read)


def test_each_check_has_the_commands_before_it() -> None:
    first, second, third, last = checks(SCRIPT)
    assert commands(first) == "(push 1) (assert (> y x)) (check-sat)"
    assert commands(second).endswith("(push 1) (push 1) (assert (< y x)) (check-sat-assuming (b (not b)))")
    assert commands(third).endswith("(assert (=> y (< x 10))) (check-sat)")
    assert last == problem(SCRIPT)


def test_a_script_with_one_check_at_its_end_is_plain() -> None:
    assert problem(f"{HEAD}(assert b)(check-sat)(get-model)(exit)").form.checks == Checks()


def test_the_commands_stay_where_they_are_while_assertions_change() -> None:
    read = problem(SCRIPT)
    fewer = read.with_assertions(read.assertions[3:])
    more = [*read.assertions, Assertion(parse_term("(or b (< x 0))", (), read))]
    assert commands(fewer).endswith("(pop 1) (push 1) (check-sat) (check-sat-assuming ((not b) y))")
    ending = "(assert (> x 5)) (assert (not b)) (assert (or b (< x 0))) (check-sat-assuming (y))"
    assert commands(read.with_assertions(more)).endswith(ending)


def test_commands_about_symbols_that_are_gone_are_gone() -> None:
    read = problem(SCRIPT)
    others = [function for function in read.functions if function.name != "y!1"]
    gone = Problem(read.datatypes, read.sorts, tuple(others), read.assertions, form=read.form)
    assert commands(gone).startswith("(assert (! (> x 3) :named n))")
    assert Function("y!1", (), INT) in read.functions


@pytest.mark.parametrize(
    ("commands_before", "reason"),
    [
        ("(assert b)(check-sat-assuming ((> x 2)))", "not a constant or its negation"),
        ("(assert b)(check-sat-using smt)", "run as check-sat"),
        ("(assert b)(check-sat)(get-unsat-core)", "no assertion has a name"),
        ("(push 1)(check-sat)(pop 1)" * 400 + "(assert b)(check-sat)", "the last check runs alone"),
    ],
)
def test_a_command_that_is_run_in_another_form_is_named(commands_before: str, reason: str) -> None:
    found = [each for each in left_out(ProblemScript("a"), HEAD + commands_before) if each.matters]
    assert [reason in each.reason for each in found] == [True]


def test_an_assumption_that_is_no_literal_is_asserted_on_a_level() -> None:
    text = f"{HEAD}(assert b)(check-sat-assuming ((> x 2)))(check-sat-assuming ((> x 3) b))"
    expected = "(assert b) (push 1) (assert (> x 2)) (check-sat) (pop 1) (assert (> x 3)) (check-sat-assuming (b))"
    assert commands(problem(text)) == expected


def test_commands_can_be_removed_without_another_problem_for_the_last_check() -> None:
    events = problem(SCRIPT).form.checks.events
    shown = [" ".join(f"{number} {events[number].word}" for number in each) for each in removable(events)]
    assert shown == ["1 assert", "2 check", "5 assert", "6 check", "3 push 8 pop", "11 check", "10 push"]
