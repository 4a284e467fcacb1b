"""Dialects of command-line solvers: their names, their options as arguments and as parameters."""

from pathlib import Path

import pytest
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.command_answer import answer_in
from chcfuzz.solvers.command_options import ON, Option
from chcfuzz.solvers.dialect import Dialect
from chcfuzz.solvers.dialects import DIALECTS, dialect_of, is_dialect_option
from chcfuzz.solvers.outcome import Status

ROW = Dialect(
    "one",
    programs=("uno",),
    options=(Option("mode", "a", ("b", "c"), "main.c"), Option("fast", "off", (ON,), "main.c")),
    resource_limit="steps=",
)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("/opt/eldarica/eld", "-ssol"), "eldarica"),
        (("eldarica",), "eldarica"),
        (("/usr/bin/z3",), "z3"),
        (("z3-4.8.14",), "plain"),
        (("java", "-jar", "eld"), "plain"),
    ],
)
def test_a_dialect_is_recognised_by_its_programs_name(words: tuple[str, ...], name: str) -> None:
    assert dialect_of(words) is DIALECTS[name]


def test_every_dialect_is_found_by_its_name_and_no_program_by_two() -> None:
    assert {name: dialect.name for name, dialect in DIALECTS.items()} == {name: name for name in DIALECTS}
    programs = [program for dialect in DIALECTS.values() for program in dialect.programs]
    assert len(set(programs)) == len(programs)


def test_parameters_become_words_in_the_order_of_the_table() -> None:
    assert ROW.switches((("one.fast", ON), ("one.mode", "c"))) == ("-mode:c", "-fast")
    assert ROW.switches(()) == ()


@pytest.mark.parametrize("pair", [("one.mode", "a"), ("one.fast", "yes"), ("mode", "b"), ("two.mode", "b"), ("", "")])
def test_unknown_parameters_become_no_argument(pair: tuple[str, str]) -> None:
    assert ROW.switches((pair,)) == ()
    assert not ROW.takes(*pair)


def test_only_a_solver_that_counts_gets_a_resource_limit() -> None:
    assert ROW.limit(700) == ("steps=700",)
    assert ROW.limit(0) == ()
    assert DIALECTS["eldarica"].limit(700) == ()


def test_options_of_commands_are_no_parameters_of_spacers() -> None:
    assert is_dialect_option("eldarica.abstract")
    assert not is_dialect_option("fp.spacer.ctp")
    assert not is_dialect_option("fp.engine")


@pytest.mark.parametrize(
    ("name", "printed", "answer"),
    [
        ("theta", "[INFO] x\n(SafetyResult Safe (Proof ...))\nbye", "sat"),
        ("theta", "(SafetyResult Unsafe (Trace length: 3))", "unsat"),
        ("ultimate", "INFO: The given horn clause set is SAT\n", "sat"),
        ("ultimate", "INFO: The given horn clause set is UNSAT\n", "unsat"),
    ],
)
def test_an_answer_in_other_words_is_read_from_its_line(name: str, printed: str, answer: str) -> None:
    assert answer_in(DIALECTS[name].in_plain_words(printed))[0] == answer
    assert answer_in(DIALECTS["plain"].in_plain_words(printed))[0] is None


def test_a_command_of_such_a_dialect_is_asked_and_understood(tmp_path: Path) -> None:
    program = tmp_path / "theta"
    program.write_text("#!/bin/sh\necho '(SafetyResult Unsafe (Trace length: 1))'\n")
    program.chmod(0o755)
    command = Command.of(f"{program} --chc --input", 30.0, 1024, "theta", 0)
    assert command.solve("(set-logic HORN)(check-sat)").status is Status.UNSAT
