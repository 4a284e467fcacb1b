"""The rows for interpolation problems: what each changes, and that contradictions stay contradictions."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from chcfuzz.domains.interpolation.rows import groups as itp_groups
from chcfuzz.domains.interpolation.rows import registry as itp_rows
from chcfuzz.domains.interpolation.rows import symbols as itp_symbols
from chcfuzz.domains.smt.rows import registry as smt_rows
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.grammar.interpolation.grouped import AXIOM, Interpolation
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.mutators.mutation import Promise

CORPUS = Path(__file__).parents[4] / "corpus-itp"
OWN = {row.id: row for family in itp_rows.OWN for row in family.MUTATIONS}
NAMES = (
    "written/tree-of-sums",
    "written/axiom-of-order",
    "written/congruence-chain",
    "written/overflow",
    "written/mixed-equality",
    "paths/list-arrays-4",
    "paths/copies-axioms-3-steps",
)
PAIR = """(declare-fun f (Int) Int)(declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)
(assert (! (and (= (f x) 1) (> x 0)) :interpolation-group g0))
(assert (! (= x y) :interpolation-group g1))
(assert (! (< (+ y z) (- z 1)) :interpolation-group g1))
(assert (! (forall ((a Int)) (> (f a) 0)) :interpolation-group axiom))
"""


@cache
def seed(name: str) -> Interpolation:
    return read((CORPUS / f"{name}.smt2").read_text(), name)


def mutants(row_id: str, problem: Interpolation, number: int = 30) -> list[Interpolation]:
    row = OWN[row_id]
    keys = (bytes([key, 7]) for key in range(number))
    found = [row.rewrite(problem, Choices(b"", key)) for key in keys]
    return [each for each in found if each is not None]


def answer(problem: Interpolation) -> str:
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", 300_000)
    solver.from_string(print_problem(problem.problem))
    return str(solver.check())


@pytest.mark.parametrize("row_id", OWN)
def test_a_mutant_is_another_problem_with_two_groups_that_is_still_unsat(row_id: str) -> None:
    changed = 0
    for name in NAMES:
        problem = seed(name)
        for mutant in mutants(row_id, problem, 6):
            assert OWN[row_id].applies(problem)
            assert mutant != problem
            assert mutant.cuts >= 1
            assert read(printed(mutant)) == mutant
            assert answer(mutant) != "sat"
            changed += 1
    assert changed >= 4


def test_rows_about_groups_keep_the_conjuncts() -> None:
    kept = {row.id for row in itp_groups.MUTATIONS} - {"itp_groups.move-conjunct", "itp_groups.repeat"}
    for row_id in sorted(kept):
        for name in NAMES:
            for mutant in mutants(row_id, seed(name), 5):
                assert mutant.formulas == seed(name).formulas, row_id
                assert (mutant.labels, mutant.parents) != (seed(name).labels, seed(name).parents), row_id


def test_conjuncts_move() -> None:
    labels = {(len(each.assertions), each.labels) for each in mutants("itp_groups.move-conjunct", read(PAIR))}
    assert labels == {(5, (1, 0, 1, 1, AXIOM)), (5, (0, 1, 1, 1, AXIOM))}


def test_a_local_constant_becomes_shared() -> None:
    before = read(PAIR)
    shared = {each.shared(0) for each in mutants("itp_symbols.share", before)}
    assert before.shared(0) == ("f", "x")
    assert ("f", "x", "z") in shared


def test_a_hidden_constant_is_local() -> None:
    for mutant in mutants("itp_symbols.hide", read(PAIR)):
        (new,) = set(mutant.functions) - set(read(PAIR).functions)
        assert new not in mutant.shared_symbols(0)


def test_a_mixed_term_makes_a_function_shared() -> None:
    before = read(PAIR).with_assertions(read(PAIR).assertions[:-1])
    assert "f" not in before.shared(0)
    assert {each.shared(0) for each in mutants("itp_symbols.mix", before)} >= {("f", "x")}


def test_an_instance_of_an_axiom_is_ground_and_in_a_group() -> None:
    found = mutants("itp_symbols.instantiate", read(PAIR))
    assert found
    for mutant in found:
        new = mutant.assertions[-1]
        assert not new.formula.depth
        assert mutant.labels[-1] != AXIOM


def test_rows_of_smt_problems_keep_the_groups() -> None:
    """Apply every row that is taken over, so that none of them makes a plain problem of an interpolation problem."""
    taken = [row for row in itp_rows.rows() if row.id not in OWN]
    assert {row.id for row in taken} < {row.id for row in smt_rows.rows()}
    assert all(row.promise is not Promise.SAT_PRESERVING for row in taken)
    changed = set()
    for row in taken:
        for name in NAMES[:4]:
            for key in range(3):
                mutant = None
                with suppress(LimitError):  # chains take no step then
                    mutant = row.rewrite(seed(name), Choices(b"", bytes([key, 9])))
                if mutant is not None:
                    assert isinstance(mutant, Interpolation), row.id
                    assert mutant.cuts >= 1, row.id
                    changed.add(row.id)
    assert len(changed) > len(taken) / 2


def test_ids_are_those_of_their_modules() -> None:
    for family, name in ((itp_groups, "itp_groups"), (itp_symbols, "itp_symbols")):
        assert all(row.family == name for row in family.MUTATIONS)
