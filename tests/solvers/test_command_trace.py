"""Traces of commands: which runs have the same classes."""

import pytest
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.command_trace import error_class, log_classes
from chcfuzz.solvers.dialects import DIALECTS
from chcfuzz.solvers.outcome import Status

from tests.solvers.conftest import DEFINITION, SYSTEM, Made, result


def trace(command: Command, text: str = SYSTEM) -> int:
    return command.solve(text).trace.hash


@pytest.mark.slow
def test_the_same_output_is_the_same_trace_and_another_class_another(made: Made) -> None:
    scripts = [
        "echo sat",
        f"echo sat; echo '{DEFINITION}'",
        "echo sat; echo '(define-fun inv ((x Int)) Bool (or (= x 0) (= x 1)))'",
        "echo unsat",
        "echo unsat; echo step; echo step; echo step",
        "echo unknown",
        "echo '(error \"this\")'",
        "echo '(error \"that\")'",
        "kill -SEGV $$",
        "kill -ABRT $$",
        "exit 1",
    ]
    hashes = [trace(made(script)) for script in scripts]
    assert len(set(hashes)) == len(scripts)
    assert hashes == [trace(made(script)) for script in scripts]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('(error "line 3 column 14: bad")', '(error "line 12 column 7: bad")'),
        ("Error at 0x7ffd12: no |a b| here", "Error at 0x55aa: no |c| here"),
        ("Error in /tmp/one/x.smt2", "Error in /var/two/y.smt2"),
        ("Error in Foo$17@1b2c3d4e after 12.5 s", "Error in Foo$3@ffee0011 after 0.25 s"),
    ],
)
def test_numbers_and_places_make_no_class_of_errors(one: str, other: str) -> None:
    assert error_class(one) == error_class(other)


def test_names_of_the_system_make_no_class_of_errors(made: Made) -> None:
    refuses = made("""name=$(sed -n 's/(declare-fun \\([^ ]*\\) .*/\\1/p' "$1"); echo "(error \\"no $name here\\")" """)
    assert result(refuses)[1] == '(error "no inv here")'
    assert trace(refuses) == trace(refuses, SYSTEM.replace("inv", "reached"))
    assert trace(refuses) == trace(refuses, SYSTEM.replace("inv", "|a-b|"))


def test_time_is_no_trace(made: Made) -> None:
    assert trace(made("echo sat")) == trace(made("sleep 0.3; echo sat"))


def test_the_stack_of_an_exception_is_part_of_its_class(made: Made) -> None:
    thrown = "echo java.lang.AssertionError >&2; printf '\\tat lazabs.{}.x(A.scala:{})\\n' >&2; exit 1"
    one, same, other = (trace(made(thrown.replace("{}", a, 1).replace("{}", b))) for a, b in ("a1", "a7", "b1"))
    assert one == same != other


def test_what_the_wall_clock_ends_is_always_the_same_trace(made: Made) -> None:
    one = trace(made("echo sat; exec sleep 100", wall_seconds=0.5))
    assert one == trace(made("exec sleep 100", wall_seconds=0.5))


def test_a_trace_in_which_a_clock_of_the_solver_had_a_say_need_not_come_again(made: Made) -> None:
    result = "Interpolation abstraction: inv: <(a + -1 * b)> ."
    for ends, complete in (("", True), (" TIMEOUT", False)):
        outcome = made(f"echo '{result}{ends}' >&2; echo unsat", name="eld").solve(SYSTEM)
        assert (outcome.status, outcome.trace.complete) == (Status.UNSAT, complete)


LOG = """After slicing ({}ms):   {}   {}
Found counterexample #{}, refining ...
0: AndNode(FALSE() :- {}({}_0) | ({}_0 + 1 = 0))
Total CEGAR time (ms):      {}
Time for hasher eval:       {}
Total elapsed time (ms): {}
{}
"""


def test_steps_are_the_same_but_for_names_times_and_small_differences_of_numbers() -> None:
    first = log_classes(LOG.format(1, 4, 2, 1, "inv", "inv", "inv", 70, 6, 900, "more"), {"inv"})
    other = log_classes(LOG.format(99, 5, 3, 1, "end", "end", "end", 7, 60, 20, "other"), {"end"})
    assert first == other
    assert first[0] == "After slicing : ~3 ~2"
    assert len(first) == 3, "neither times nor what comes after the end"
    assert log_classes(LOG.format(1, 9, 2, 1, "inv", "inv", "inv", 70, 6, 900, ""), {"inv"}) != first


def test_lines_that_may_stand_in_any_order_have_one() -> None:
    heads = ["   p-4/0 (3 clauses, 0 templates)", "   |a b|-0/1 (9 clauses, 2 templates)"]
    logs = ["\n".join(["begin", *each, "end", *each]) for each in (heads, heads[::-1])]
    first, other = (log_classes(log, {"p"}, DIALECTS["eldarica"].unordered) for log in logs)
    assert first == other
    assert (first[0], first[3]) == ("begin", "end")
    assert first[1:3] == first[4:] != first[1:3][::-1]
    assert log_classes(logs[0], {"p"}) != log_classes(logs[1], {"p"})


def test_a_number_of_thousands_of_digits_in_a_log_has_a_class() -> None:
    assert log_classes(f"level {'7' * 5000}", {"p"}) == ["level ~4000 digits"]
