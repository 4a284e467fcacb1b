"""Theories and operators that a solver lacks: a problem with them is refused by name before the solver reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from chcfuzz.domains.smt.solvers.lacking import in_own_words, missing
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
        (SETS, "z3", ""),
        (SETS, "bitwuzla", "sets"),
        (SETS, "cvc5", ""),
        ("(assert (= (set.singleton 1) (set.singleton 2)))", "bitwuzla", "sets"),
        ("(assert (= (as set.empty (Set Int)) (as set.empty (Set Int))))", "bitwuzla", "sets"),
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


@pytest.mark.parametrize(("program", "word"), [("z3-old", "FiniteSet"), ("cvc5-old", "Set"), ("another", "Set")])
def test_a_program_of_z3_gets_finite_sets_and_not_the_sort_that_it_reads_as_arrays(
    program: str, word: str, tmp_path: Path
) -> None:
    file = tmp_path / program
    file.write_text(f'#!/bin/sh\nif grep -q "({word} Int)" system.smt2; then echo unsat; else echo sat; fi\n')
    file.chmod(0o755)
    engine = CommandEngine(Command.of(str(file), 10.0))
    assert engine.solve(print_problem(problem(SETS)), (), 0).status is Status.UNSAT


def test_a_model_of_a_program_of_z3_is_in_our_words(tmp_path: Path) -> None:
    file = tmp_path / "z3-old"
    model = "(define-fun s () (FiniteSet Int) (set.intersect (set.singleton 1) (set.singleton 1)))"
    file.write_text(f'#!/bin/sh\necho sat\necho "({model})"\n')
    file.chmod(0o755)
    found = CommandEngine(Command.of(str(file), 10.0)).solve(print_problem(problem(SETS)), (), 0)
    assert found.model is not None
    assert found.model.definitions == "(define-fun s () (Set Int) (set.inter (set.singleton 1) (set.singleton 1)))"


@pytest.mark.parametrize("text", [REVERSED, '(declare-const |(Set | String)(assert (= |(Set | "(Set Int)"))'])
def test_a_script_without_sets_is_not_written_again(text: str) -> None:
    written = print_problem(problem(text))
    assert in_own_words(written, "z3") == written
