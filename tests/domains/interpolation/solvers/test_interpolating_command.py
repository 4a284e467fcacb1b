"""A command gives interpolants over a pipe that stays open, or for a file; its output decides what it answered."""

import sys
from pathlib import Path

import pytest
from chcfuzz.domains.interpolation.solvers.interpolating_command import CommandInterpolator
from chcfuzz.domains.interpolation.solvers.scripts import logic, order, script, style_of
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.solvers import process, solver_session
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.outcome import Status, texts_of

from tests.domains.interpolation.solvers.test_solvers import AXIOM, PAIR, SEQUENCE, TREE

ECHO = """
import sys
log = open({log!r}, "a", 1)
log.write("; a process starts\\n")
for line in sys.stdin:
    log.write(line)
    if "(get-interpolants" in line:
        print({printed!r}, flush=True)
    if "(echo" in line:
        print(line.split('"')[1], flush=True)
"""


def command(folder: Path, printed: str, requests: int = 10) -> CommandInterpolator:
    """Return a command that prints a text at each `get-interpolants`."""
    program = folder / "solver.py"
    program.write_text(ECHO.format(log=str(folder / "log"), printed=printed))
    return CommandInterpolator(Command.of([sys.executable, str(program)], 60.0, requests=requests))


@pytest.mark.parametrize(
    ("printed", "status", "reason", "interpolants"),
    [
        ("unsat\n((> y 4))", Status.UNSAT, "", ("(> y 4)",)),
        ("unsat\n(true)", Status.UNSAT, "", ("true",)),
        ("unsat\n(\n (> y 4) false |a b| (f x))", Status.UNSAT, "", ("(> y 4)", "false", "|a b|", "(f x)")),
        ('sat\n(error "no proof")', Status.SAT, "", ()),
        ("unknown", Status.UNKNOWN, "", ()),
        ('unsat\n(error "not supported")', Status.UNSUPPORTED, '(error "not supported")', ()),
        ('(error "logic")', Status.UNSUPPORTED, '(error "logic")', ()),
        ('(error "unknown symbol")\nsat', Status.UNSUPPORTED, '(error "unknown symbol")', ()),
        ("", Status.ERROR, "gives no answer", ()),
        ('unsat\n(error "internal: assertion")', Status.ERROR, '(error "internal: assertion")', ()),
    ],
)
def test_the_output_is_read(
    tmp_path: Path, printed: str, status: Status, reason: str, interpolants: tuple[str, ...]
) -> None:
    outcome = command(tmp_path, printed).interpolate(read(PAIR), (("x.y", "1"),), 0)
    assert (outcome.status, outcome.reason, texts_of(outcome)) == (status, reason, interpolants)
    assert outcome.left_out == ("x.y",)


@pytest.mark.parametrize("name", ["sat", "unsat", "unknown", "timeout"])
@pytest.mark.parametrize(("printed", "program"), [("(\n{}\n)", "solver.py"), ("{}", "mathsat.py")])
def test_an_interpolant_may_have_the_name_of_an_answer(tmp_path: Path, name: str, printed: str, program: str) -> None:
    text = f"(declare-const {name} Bool)(assert (! {name} :interpolation-group g0))"
    problem = read(f"{text}(assert (! (not {name}) :interpolation-group g1))")
    (tmp_path / program).write_text(f"print({'unsat' + chr(10) + printed.format(name)!r})")
    words = [sys.executable, str(tmp_path / program), "{}"]
    outcome = CommandInterpolator(Command.of(words, 60.0)).interpolate(problem, (), 0)
    assert (outcome.status, texts_of(outcome)) == (Status.UNSAT, (name,))


@pytest.mark.parametrize("printed", ["sat\nunsat\n(true)", "unsat\nsat", "unsat\nsat\n(true true)"])
def test_two_answers_are_none(tmp_path: Path, printed: str) -> None:
    outcome = command(tmp_path, printed).interpolate(read(PAIR), (), 0)
    assert (outcome.status, outcome.reason) == (Status.ERROR, "answers sat and unsat")


@pytest.mark.slow
@pytest.mark.parametrize("requests", [0, 10])
def test_output_that_is_cut_off_here_is_no_fault_of_the_solver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, requests: int
) -> None:
    long = f"unsat\n((or {'false ' * 30000}))"
    for module in (process, solver_session):
        monkeypatch.setattr(module, "MOST_OUTPUT", 1000)
    program = tmp_path / "solver.py"
    program.write_text(ECHO.format(log=str(tmp_path / "log"), printed=long) if requests else f"print({long!r})\n")
    words = [sys.executable, str(program), *([] if requests else ["{}"])]
    outcome = CommandInterpolator(Command.of(words, 60.0, requests=requests)).interpolate(read(PAIR), (), 0)
    assert (outcome.status, texts_of(outcome)) == (Status.LIMIT, ())


def test_one_process_takes_several_problems(tmp_path: Path) -> None:
    solver = command(tmp_path, "unsat\n(true)")
    assert [solver.interpolate(read(text), (), 0).status for text in (PAIR, AXIOM)] == [Status.UNSAT] * 2
    log = (tmp_path / "log").read_text()
    assert log.count("; a process starts") == 1
    assert log.count("(get-interpolants group0 group1)") == 2


def test_a_dead_process_is_a_death_of_the_solver(tmp_path: Path) -> None:
    program = tmp_path / "solver.sh"
    program.write_text("#!/bin/sh\nkill -SEGV $$\n")
    program.chmod(0o755)
    outcome = CommandInterpolator(Command.of(f"{program} {{}}", 60.0)).interpolate(read(PAIR), (), 0)
    assert (outcome.status, outcome.reason) == (Status.CRASH, "dies of signal 11")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("what():  Not implemented", Status.UNSUPPORTED),
        ("what():  Term (* x y) is non-linear", Status.UNSUPPORTED),
        ("what():  Asserting negation of theory clause did not result in conflict", Status.CRASH),
        ("what():  no value for |is non-linear|", Status.CRASH),
        ("what():  a | b is not supported", Status.UNSUPPORTED),
    ],
)
def test_the_last_words_of_a_dead_process_tell_a_refusal_from_a_fault(
    tmp_path: Path, words: str, status: Status
) -> None:
    program = tmp_path / "solver.sh"
    program.write_text(f"#!/bin/sh\necho '  {words}' >&2\nkill -ABRT $$\n")
    program.chmod(0o755)
    outcome = CommandInterpolator(Command.of(f"{program} {{}}", 60.0)).interpolate(read(PAIR), (), 0)
    assert (outcome.status, outcome.reason) == (status, f"dies of signal 6: {words}")


@pytest.mark.parametrize("name", ["exception", "unsupported", "|syntax error|"])
def test_a_symbol_with_the_name_of_an_error_hides_no_interpolant(tmp_path: Path, name: str) -> None:
    outcome = command(tmp_path, f"unsat\n((> {name} 4))").interpolate(read(PAIR.replace("y", name)), (), 0)
    assert (outcome.status, texts_of(outcome)) == (Status.UNSAT, (f"(> {name} 4)",))


@pytest.mark.parametrize(
    ("printed", "status"),
    [
        ("At line 3: syntax error, unexpected TK_SYM", Status.UNSUPPORTED),
        ("Unexpected Exception: java.lang.UnsupportedOperationException: no arrays here", Status.UNSUPPORTED),
        ("Unexpected Exception: java.lang.ClassCastException: no term", Status.ERROR),
    ],
)
def test_a_message_instead_of_an_answer_tells_a_refusal_from_a_fault(
    tmp_path: Path, printed: str, status: Status
) -> None:
    outcome = command(tmp_path, printed).interpolate(read(PAIR), (), 0)
    assert (outcome.status, outcome.reason) == (status, printed)


@pytest.mark.parametrize(
    ("printed", "status"),
    [("unsat\n(true)", Status.UNSAT), ("unsat", Status.ERROR), ("unsat\n(true true)", Status.ERROR)],
)
def test_a_log_with_an_error_excuses_only_missing_interpolants(tmp_path: Path, printed: str, status: Status) -> None:
    program = tmp_path / "solver.py"
    program.write_text(f"import sys\nprint({printed!r})\nprint('no exception handler', file=sys.stderr)\n")
    solver = CommandInterpolator(Command.of([sys.executable, str(program), "{}"], 60.0))
    assert solver.interpolate(read(PAIR), (), 0).status is status


def test_a_tree_is_printed_with_parentheses_and_read_in_the_order_of_the_cuts() -> None:
    princess = style_of(["java", "-cp", "/jars/princess_2.13.jar", "ap.CmdlMain"])
    tree = read(TREE)
    assert "(get-interpolants group0 (group1) group2)" in script(tree, princess)
    assert order(tree) == [0, 1]
    larger = read(TREE.replace('"g2 g2"', '"g2 g3 g3"') + "(assert (! (= y 0) :interpolation-group g3))")
    assert "(get-interpolants group1 (group0 group2) group3)" in script(larger, princess)
    assert order(larger) == [1, 0, 2]


def test_axioms_are_asserted_with_the_last_group() -> None:
    text = script(read(AXIOM), style_of(["x"]))
    assert "(assert (! (and (and (= y x) (< y 5)) (= n 7)) :named group1))" in text


def test_a_solver_that_needs_a_logic_gets_its_name() -> None:
    assert "(set-logic QF_LIA)" in script(read(PAIR), style_of(["/bin/opensmt"]))
    assert logic(read(SEQUENCE)) == "QF_BV"
    group = ":interpolation-group"
    floats = f"(declare-fun x () Float32)(assert (! (fp.isNaN x) {group} a))(assert (! (fp.eq x x) {group} b))"
    assert logic(read(floats)) == "QF_FP"
    assert "(set-logic ALL)" in script(read(PAIR), style_of(["smtinterpol.jar"]))
