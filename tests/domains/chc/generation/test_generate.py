"""Generated systems: their witnesses hold, by our evaluator and Z3's SMT solver, and they have the requested form."""

from collections import Counter
from collections.abc import Iterable

import pytest
from chcfuzz.domains.chc.generation.generate import generated
from chcfuzz.domains.chc.generation.layouts import THEORIES
from chcfuzz.domains.chc.generation.linear_constraints import Constraint, implied
from chcfuzz.domains.chc.generation.transitions import Generated
from chcfuzz.domains.chc.oracles.model import check_text
from chcfuzz.domains.chc.oracles.refutation import fault
from chcfuzz.domains.chc.oracles.refutation_text import parse_refutation
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.horn import Shape
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.watchdog import Watchdog

MADE = 24
WATCHDOG = Watchdog(60)


def made(status: str, number: int, theories: tuple[str, ...] | None = None) -> Generated:
    return generated(status, Choices(b"", f"generated {status} {number}".encode()), theories)


SAT = [made("sat", number) for number in range(MADE)]
UNSAT = [made("unsat", number) for number in range(MADE)]


def check_models(some: Iterable[Generated]) -> None:
    """None is wrong, and nearly all of them are proved: sums of wide bit-vectors take Z3 long."""
    result = Counter[VerdictKind]()
    for found in some:
        verdict = check_text(found.system, found.witness, WATCHDOG)
        result[verdict.kind] += 1
        message = f"{verdict.detail}\n{print_system(found.system)}\n{found.witness}"
        assert verdict.kind in (VerdictKind.PASS, VerdictKind.UNDECIDED), message
    assert result[VerdictKind.PASS] >= 0.9 * result.total()


def check_refutation(found: Generated) -> None:
    refutation = parse_refutation(found.system, found.witness)
    assert refutation == found.refutation
    assert fault(found.system, refutation) is None, f"{print_system(found.system)}\n{found.witness}"


def test_models_hold_in_every_clause() -> None:
    check_models(SAT)


def test_every_step_of_a_refutation_is_true() -> None:
    for found in UNSAT:
        check_refutation(found)


@pytest.mark.slow
def test_no_witness_of_many_is_wrong() -> None:
    check_models(made("sat", number) for number in range(MADE, 400))
    for number in range(MADE, 400):
        check_refutation(made("unsat", number))


def test_a_witness_that_was_made_wrong_is_found_out() -> None:
    found = next(one for one in SAT if "(>= " in one.witness)
    wrong = check_text(found.system, found.witness.replace("(>= ", "(< "), WATCHDOG)
    assert wrong.kind is not VerdictKind.PASS
    assert UNSAT[0].refutation is not None
    assert fault(UNSAT[0].system, UNSAT[0].refutation[:-1]) is not None


def test_systems_read_back_as_themselves_and_are_horn() -> None:
    for found in (*SAT, *UNSAT):
        assert parse(print_system(found.system)) == found.system
        assert {clause.shape for clause in found.system.clauses} <= {Shape.IMPLICATION, Shape.FACT}


def test_the_status_is_declared() -> None:
    assert {found.system.status for found in SAT} == {"sat"}
    assert {found.system.status for found in UNSAT} == {"unsat"}


def test_the_same_choices_make_the_same_system() -> None:
    assert [made("sat", number) for number in range(4)] == SAT[:4]
    assert [made("unsat", number) for number in range(4)] == UNSAT[:4]


@pytest.mark.parametrize("status", ["sat", "unsat"])
@pytest.mark.parametrize("theory", THEORIES)
def test_a_requested_theory_is_used(status: str, theory: str) -> None:
    """Nearly always: a layout may be drawn plain by chance."""
    seen = [theory in made(status, number, (theory,)).system.theories for number in range(20)]
    assert seen.count(True) >= 10


@pytest.mark.parametrize("status", ["sat", "unsat"])
def test_any_bytes_make_a_system(status: str) -> None:
    for data in (b"", b"\xff" * 64, bytes(range(200))):
        found = generated(status, Choices(data))
        if status == "sat":
            check_models([found])
        else:
            check_refutation(found)


def test_systems_are_of_all_kinds() -> None:
    for some in (SAT, UNSAT):
        clauses = [clause for found in some for clause in found.system.clauses]
        assert any(not clause.is_linear for clause in clauses)
        assert any(len([clause for clause in found.system.clauses if clause.is_query]) > 1 for found in SAT)
        assert {theory for found in some for theory in found.system.theories} == set(THEORIES)
        assert max(len(print_system(found.system)) for found in some) > 8_000


def test_refutations_take_many_steps() -> None:
    assert max(len(found.refutation or ()) for found in UNSAT) >= 10


# Rows -----------------------------------------------------------------------------------------------


def row(*factors: int, kind: str = ">=", bound: int = 0, modulus: int = 0) -> Constraint:
    return Constraint(factors, kind, bound, modulus)


@pytest.mark.parametrize(
    ("wanted", "known"),
    [
        (row(0, 0, bound=-1), []),
        (row(1, 0, bound=2), [row(1, 0, bound=3)]),
        (row(2, 0, bound=6), [row(1, 0, bound=3)]),
        (row(1, 1, bound=5), [row(1, 0, bound=3), row(0, 1, bound=2)]),
        (row(-1, 0, bound=-3), [row(1, 0, kind="=", bound=3)]),
        (row(1, -1, kind="=", bound=1), [row(1, 0, kind="=", bound=3), row(0, 1, kind="=", bound=2)]),
        (row(1, 0, kind="mod", bound=1, modulus=2), [row(1, 0, kind="mod", bound=3, modulus=4)]),
        (row(1, 2, kind="mod", bound=1, modulus=2), [row(1, 0, kind="=", bound=3)]),
        (row(2, 0, kind="mod", bound=0, modulus=2), []),
    ],
)
def test_what_rows_imply_is_seen(wanted: Constraint, known: list[Constraint]) -> None:
    assert implied(wanted, known)


@pytest.mark.parametrize(
    ("wanted", "known"),
    [
        (row(0, 0, bound=1), []),
        (row(1, 0, bound=4), [row(1, 0, bound=3)]),
        (row(-1, 0, bound=-3), [row(1, 0, bound=3)]),
        (row(1, 0, kind="=", bound=3), [row(1, 0, bound=3)]),
        (row(1, 0, bound=1), [row(1, 0, kind="mod", bound=1, modulus=2)]),
        (row(1, 0, kind="mod", bound=1, modulus=4), [row(1, 0, kind="mod", bound=1, modulus=2)]),
        (row(1, 0, kind="mod", bound=1, modulus=2), [row(1, 0, bound=1)]),
        (row(1, 1, kind="=", bound=5), [row(1, 0, kind="=", bound=3), row(0, 1, bound=2)]),
    ],
)
def test_what_rows_do_not_imply_is_not_seen_in_them(wanted: Constraint, known: list[Constraint]) -> None:
    assert not implied(wanted, known)
