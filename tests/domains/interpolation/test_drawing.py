"""Drawn interpolation problems are unsatisfiable and are read back."""

import pytest
import z3
from chcfuzz.domains.interpolation.drawing import KINDS, drawn
from chcfuzz.domains.interpolation.drawn_paths import drawn_path
from chcfuzz.domains.interpolation.memory_paths import ENCODINGS, path_problem
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.printer import print_problem


def answer(problem: Interpolation) -> str:
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", 2_000_000)
    solver.from_string(print_problem(problem.problem.with_header((), ())))
    return str(solver.check())


@pytest.mark.parametrize("kind", KINDS)
def test_problems_of_a_kind_are_unsat_and_differ(kind: str) -> None:
    found = [KINDS[kind](Choices(b"", f"{kind} {number}".encode())) for number in range(12)]
    assert {answer(problem) for problem in found} == {"unsat"}
    assert all(problem.cuts and read(printed(problem)) == problem for problem in found)
    assert len(set(found)) > 6


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_drawn_path_contradicts_its_execution_in_each_encoding(encoding: str) -> None:
    paths = [drawn_path(Choices(b"", f"path {number}".encode())) for number in range(20)]
    assert {answer(path_problem(path, encoding)) for path in paths} == {"unsat"}


def test_bytes_without_entropy_draw_a_problem() -> None:
    assert drawn(Choices(b"")).cuts
