"""Paths of C programs: all encodings of all families are unsatisfiable pairs that are not trivial."""

from __future__ import annotations

import pytest
from chcfuzz.domains.interpolation.memory_families import FAMILIES, NEED_AXIOMS, family_path
from chcfuzz.domains.interpolation.memory_paths import ENCODINGS, path_problem
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.terms import Term, negation

GROUND = [(family, encoding) for family in FAMILIES for encoding in ENCODINGS[1:] if family not in NEED_AXIOMS]


def _answer(problem: Problem) -> str:
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", 400_000)
    solver.from_string(print_problem(problem))
    return str(solver.check())


def _of(stated: Interpolation, *formulas: Term) -> str:
    return _answer(stated.problem.with_assertions([Assertion(each) for each in formulas]))


@pytest.mark.parametrize("family", FAMILIES)
def test_paths_with_axioms_are_unsatisfiable(family: str) -> None:
    for size in (1, 3):
        stated = path_problem(family_path(family, size), "axioms")
        assert _answer(stated.problem) == "unsat"
        assert stated.cuts == 1
        assert read(printed(stated)) == stated
        assert len(stated.axioms) >= 6


@pytest.mark.parametrize(("family", "encoding"), GROUND)
def test_ground_paths_are_unsatisfiable_and_their_sides_are_not(family: str, encoding: str) -> None:
    for size in (1, 4):
        stated = path_problem(family_path(family, size), encoding)
        a, b = stated.sides(0)
        assert [_of(stated, *a, *b), _of(stated, *a), _of(stated, *b)] == ["unsat", "sat", "sat"]
        assert stated.problem.nodes < 120 * size + 60


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_path_has_a_group_for_each_step_on_request(encoding: str) -> None:
    path = family_path("copies", 4)
    stated = path_problem(path, encoding, steps=True)
    assert stated.cuts == len(path.assignments) == 4
    assert _answer(stated.problem) == "unsat"


def test_the_axioms_do_not_refute_one_side_alone() -> None:
    stated = path_problem(family_path("list", 2), "axioms")
    a, b = stated.sides(0)
    assert _of(stated, *a, *stated.axiom_formulas) != "unsat"
    assert _of(stated, *b) != "unsat"


def test_the_worked_example_of_the_paper_has_its_interpolant() -> None:
    """A list of two cells: the field of the cell that variable 2 points at has the value 2."""
    stated = path_problem(family_path("list", 2), "axioms")
    a, b = stated.sides(0)
    interpolant = parse_term("(= (V4 (S (L (V4 2)) 0)) 2)", (), stated)
    assert {"L", "S", "V4"} <= set(stated.shared(0))
    assert _of(stated, *a, *stated.axiom_formulas, negation(interpolant)) == "unsat"
    assert _of(stated, interpolant, *b) == "unsat"


@pytest.mark.parametrize(
    ("family", "size", "encoding", "message"),
    [
        ("lists", 2, "axioms", "lists is not a family of paths; name one of copies, "),
        ("list", 0, "axioms", "a path of size 0"),
        ("list", 2, "heaps", "heaps is not an encoding of memory; name one of axioms, "),
        ("first-element", 2, "arrays", "the address of a field needs the encoding axioms"),
    ],
)
def test_refusals_are_one_line(family: str, size: int, encoding: str, message: str) -> None:
    with pytest.raises(ChcfuzzError, match=message):
        path_problem(family_path(family, size), encoding)
