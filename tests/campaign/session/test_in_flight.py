"""A worker records every unit before it runs it, and never runs a unit that has killed a worker."""

import os
import signal
from pathlib import Path

import pytest
from chcfuzz.campaign.session.in_flight import CrashGuard, InFlightUnit, unit_of_mutation
from chcfuzz.execution.solving import UsageError
from chcfuzz.mutators.recipe import Recipe, Unit, decode, digest, encode
from chcfuzz.solvers.z3_parameters import with_transforms_off

from tests.campaign.conftest import SAT

UNIT = encode(Recipe(SAT, (), (("fp.spacer.ctp", "false"),)))


@pytest.fixture
def in_flight(tmp_path: Path) -> InFlightUnit:
    return InFlightUnit(tmp_path / f"worker-{os.getpid()}.input")


def unit_of_a_death(folder: Path, method: str) -> bytes | None:
    """Return the unit that is blamed if a process dies behind its guard."""
    if os.fork() == 0:
        mine = InFlightUnit(folder / f"worker-{os.getpid()}.input")
        mine.begin(b"the unit")
        getattr(CrashGuard(mine, frozenset), method)(Unit(UNIT), lambda: os.kill(os.getpid(), signal.SIGKILL), None)
        os._exit(0)
    pid, _ = os.wait()
    return InFlightUnit.left_by_dead_worker(folder / f"worker-{pid}.input")


def test_what_dies_behind_the_guard_is_blamed_for_it(tmp_path: Path) -> None:
    assert unit_of_a_death(tmp_path, "run") == UNIT


def test_a_death_of_a_question_is_blamed_on_the_unit_with_the_transforms_off(tmp_path: Path) -> None:
    blamed = unit_of_a_death(tmp_path, "mutate")
    assert blamed == unit_of_mutation(UNIT)
    assert decode(blamed) == Recipe(decode(UNIT).seed, (), with_transforms_off())


def test_what_was_in_work_before_is_so_afterwards(in_flight: InFlightUnit) -> None:
    in_flight.begin(b"outside")
    guard = CrashGuard(in_flight, frozenset)
    assert guard.run(Unit(b"inside"), lambda: in_flight.current, None) == b"inside"
    assert in_flight.current == b"outside"
    assert guard.mutate(Unit(UNIT), lambda: in_flight.current, None) == unit_of_mutation(UNIT)
    assert in_flight.current == b"outside"


def test_so_it_is_after_an_error(in_flight: InFlightUnit) -> None:
    in_flight.begin(b"outside")
    with pytest.raises(ZeroDivisionError):
        CrashGuard(in_flight, frozenset).run(Unit(b"inside"), lambda: 1 // 0, 0)
    assert in_flight.current == b"outside"


@pytest.mark.parametrize(("poison", "runs", "asks"), [(UNIT, False, True), (unit_of_mutation(UNIT), True, False)])
def test_what_has_killed_a_worker_is_not_run_again_and_has_a_defined_answer(
    in_flight: InFlightUnit, poison: bytes, runs: bool, asks: bool
) -> None:
    guard = CrashGuard(in_flight, lambda: frozenset({digest(poison)}))
    assert guard.run(Unit(UNIT), lambda: "ran", "denied") == ("ran" if runs else "denied")
    assert guard.mutate(Unit(UNIT), lambda: "ran", "denied") == ("ran" if asks else "denied")
    assert guard.denies(Unit(UNIT)) is not runs


@pytest.mark.parametrize("content", [b"", b"\0\0\0", bytes(8), bytes(4096)])
def test_a_process_that_died_while_it_was_made_left_no_unit(tmp_path: Path, content: bytes) -> None:
    if os.fork() == 0:
        os._exit(0)
    pid, _ = os.wait()
    path = tmp_path / f"worker-{pid}.input"
    path.write_bytes(content)
    assert InFlightUnit.left_by_dead_worker(path) is None


def test_a_disk_without_room_is_told_before_anything_is_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(UsageError, match=r"worker-1\.input': No space left on device; .* TMPDIR"):
        InFlightUnit(tmp_path / "worker-1.input")
