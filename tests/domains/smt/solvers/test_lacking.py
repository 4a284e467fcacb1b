"""Theories and operators that a solver lacks: a problem with them is refused by name before the solver reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from chcfuzz.domains.smt.solvers.lacking import missing
from chcfuzz.domains.smt.solvers.smt_command import CommandEngine
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.outcome import Status

SETS = "(declare-const s (Set Int))(assert (= s s))"
REVERSED = "(declare-const q (Seq Int))(assert (= q (seq.rev q)))"
FOLDED = "(declare-const q (Seq Int))(assert (= 1 (seq.foldl (lambda ((b Int) (x Int)) x) 0 q)))"


@pytest.mark.parametrize(
    ("text", "reader", "name"),
    [
        (SETS, "z3", "sets"),
        (SETS, "bitwuzla", "sets"),
        (SETS, "cvc5", ""),
        ("(assert (= (set.singleton 1) (set.singleton 2)))", "z3", "sets"),
        ("(assert (= (as set.empty (Set Int)) (as set.empty (Set Int))))", "z3", "sets"),
        (REVERSED, "z3", "seq.rev"),
        (REVERSED, "cvc5", ""),
        (REVERSED, "bitwuzla", "sequences"),
        (FOLDED, "cvc5", "seq.foldl"),
        (FOLDED, "z3", ""),
        ('(assert (= "a" "b"))(declare-const Settled Int)(assert (= Settled 1))', "z3", ""),
    ],
)
def test_the_first_thing_that_a_reader_lacks_is_named(text: str, reader: str, name: str) -> None:
    assert missing(print_problem(problem(text)), reader) == name


@pytest.mark.parametrize(("program", "is_refused"), [("z3-old", True), ("cvc5-old", False), ("another", False)])
def test_a_program_of_z3_gets_no_sets_which_it_would_read_as_arrays(
    program: str, is_refused: bool, tmp_path: Path
) -> None:
    file = tmp_path / program
    file.write_text("#!/bin/sh\necho unsat\n")
    file.chmod(0o755)
    engine = CommandEngine(Command.of(str(file), 10.0))
    found = engine.solve(print_problem(problem(SETS)), (), 0)
    assert (found.status, found.reason) == ((Status.UNSUPPORTED, "no sets") if is_refused else (Status.UNSAT, ""))
