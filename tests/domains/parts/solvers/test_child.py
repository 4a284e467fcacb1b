"""The child process of the parts: a death costs one question, and each question has a fresh context."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from chcfuzz.domains.parts.drawing import drawn_question_problem
from chcfuzz.domains.parts.part_solver import PartSolver, PartTexts
from chcfuzz.domains.parts.question import PARTS
from chcfuzz.domains.parts.question_text import printed
from chcfuzz.domains.parts.solvers.calls import CallError
from chcfuzz.domains.parts.solvers.kept_z3 import CommandDeathError, KeptZ3
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.solver_statistics import StatisticsSource

RLIMIT = 1_000_000
FORMULA = "(declare-const x Int)(declare-const y Int)(assert (< 0 x))(assert (< x y))"


@pytest.fixture(scope="module")
def solver() -> Iterator[PartSolver]:
    found = PartSolver(Solving(domain="parts", wall_seconds=100), StatisticsSource("parts"))
    yield found
    found.close()


def ask(solver: PartSolver, question: str) -> Outcome:
    return solver.solve(f'(set-info :chcfuzz-part "{question}")\n{FORMULA}', (), RLIMIT)


def texts(outcome: Outcome) -> tuple[str, ...]:
    assert isinstance(outcome.extra, PartTexts), outcome
    return outcome.extra.texts


def test_parts_answer_a_simple_question(solver: PartSolver) -> None:
    values = "((x 1) (y 2))"
    assert texts(ask(solver, f"(project (x) {values})"))[0] in ("(and (>= y 2))", "(not (<= y 1))")
    assert texts(ask(solver, f"(mbp (x) {values})"))[0] in ("(>= y 2)", "(not (<= y 1))")
    assert "y" in texts(ask(solver, f"(witness (x) {values})"))[0]
    assert "x" in texts(ask(solver, "(simplify)"))[0]
    assert texts(ask(solver, "(tactic (simplify))"))[0::2] == ("sat", "0")
    assert texts(ask(solver, "(simplifier (simplify))"))[0] == "sat"


@pytest.mark.parametrize("part", PARTS)
def test_every_part_answers_drawn_questions(solver: PartSolver, part: str) -> None:
    for number in range(3):
        problem = drawn_question_problem(Choices(b"", b"drawn %d" % number), part)
        outcome = solver.solve(printed(problem), (), RLIMIT)
        assert outcome.status in Status
        assert isinstance(outcome.extra, PartTexts)
        assert outcome.extra.part == problem.question.label


def test_a_formula_that_z3_does_not_read_is_unsupported_by_its_library_and_its_program(solver: PartSolver) -> None:
    formula = "(declare-const x Int)(declare-const y Int)(assert (= y (int.log2 x)))"  # cvc5 reads it
    for part in ("mbp", "project"):
        question = f'(set-info :chcfuzz-part "({part} (x) ((x 1) (y 0)))")'
        outcome = solver.solve(f"{question}\n{formula}", (), RLIMIT)
        assert outcome.status is Status.UNSUPPORTED, (part, outcome.reason)


def workers(solver: PartSolver) -> list[int]:
    """Return the processes that the child of a solver has forked."""
    pid = solver.pid
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_death_between_questions_loses_no_reply(solver: PartSolver) -> None:
    before = ask(solver, "(project (x) ((x 1) (y 2)))")
    (worker,) = workers(solver)
    os.kill(worker, signal.SIGSEGV)
    assert texts(ask(solver, "(project (x) ((x 1) (y 2)))")) == texts(before)
    assert workers(solver) != [worker]
    assert ask(solver, "(simplify)").status is Status.RESULT


def test_a_part_that_the_release_lacks_is_unsupported() -> None:
    with pytest.raises(CallError, match="no command z3"):
        KeptZ3("", 100).output("", RLIMIT)


def program(folder: Path, text: str) -> str:
    file = folder / "z3"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return str(file)


def test_the_death_of_the_command_has_its_last_words(tmp_path: Path) -> None:
    command = KeptZ3(program(tmp_path, "read line; echo ASSERTION VIOLATION; exit 114"), 100)
    with pytest.raises(CommandDeathError) as raised:
        command.output("(check-sat)", RLIMIT)
    assert (raised.value.code, raised.value.printed) == (114, "ASSERTION VIOLATION")


def test_a_command_that_dies_before_it_reads_has_its_last_words(tmp_path: Path) -> None:
    command = KeptZ3(program(tmp_path, "echo NO MEMORY; exec <&-; exit 3"), 100)
    with pytest.raises(CommandDeathError) as raised:
        command.output("(check-sat)" + " " * (1 << 20), RLIMIT)
    assert (raised.value.code, raised.value.printed) == (3, "NO MEMORY")


def test_a_command_that_is_silent_ends_at_the_wall_clock(tmp_path: Path) -> None:
    command = KeptZ3(program(tmp_path, "exec sleep 1000"), 0.1)
    start = time.monotonic()
    with pytest.raises(CallError, match="wall clock"):
        command.output("(check-sat)", RLIMIT)
    assert time.monotonic() - start < 100
    command.close()


def test_a_worker_is_not_replaced_for_the_memory_that_z3_keeps_after_its_first_questions(solver: PartSolver) -> None:
    ask(solver, "(simplify)")
    first = workers(solver)
    for number in range(25):
        problem = drawn_question_problem(Choices(b"", b"kept %d" % number), "simplify", "arrays")
        assert solver.solve(printed(problem), (), RLIMIT).status is Status.RESULT
    assert workers(solver) == first
