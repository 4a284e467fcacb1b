"""Unused memory of the allocator is returned to the system, and memory that Z3 has leaked is counted."""

import subprocess

import pytest
from chcfuzz.campaign.worker import memory_guard
from chcfuzz.campaign.worker.memory_guard import MemoryGuard
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.execution.domain import MOST_LOST
from chcfuzz.solvers import python
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import held_memory
from chcfuzz.tracing.progress_log import ProgressLog

MEGABYTE = 1 << 20

# A limit that ends Z3 in the midst of this transform leaves behind what was made (seen with z3-solver 5.4.0.0).
LOSES = """(set-logic HORN)
(declare-fun ring (Bool Bool Bool) Bool)
(assert (ring false false false))
(assert (forall ((a Bool) (b Bool) (c Bool)) (=> (ring a b c) (ring (not c) a b))))
(assert (forall ((a Bool) (b Bool) (c Bool)) (=> (and (ring a b c) (and a (not b) c)) false)))
(assert (forall ((a Bool) (b Bool) (c Bool)) (=> (and (ring a b c) (not (or c a (not b)))) false)))
(check-sat)
"""
UNFOLDING = (("fp.xform.inline_linear_branch", "true"), ("fp.xform.unfold_rules", "1"))


def test_memory_goes_back_after_a_worker_has_grown_and_not_again_until_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([500, 120, 124, 127, 140, 125])
    monkeypatch.setattr(MemoryGuard, "resident", lambda _: next(sizes) * MEGABYTE)
    monkeypatch.setattr(memory_guard, "_EVERY", 1)
    trimmed: list[int] = []
    mine = MemoryGuard(held_memory)
    monkeypatch.setattr(mine, "_trim", trimmed.append)
    for _ in range(4):  # 500: grown, 120 afterwards; 124 and 127: not; 140: grown, 125 afterwards
        mine.release_freed()
    assert len(trimmed) == 2


TABLES = """
import ctypes, resource, sys
if sys.argv[1:]:
    from chcfuzz.campaign.worker.memory_guard import MemoryGuard
    MemoryGuard(lambda: 0)
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = libc.memset.argtypes = None
def contexts(number):
    for _ in range(number):
        tables = [ctypes.c_void_p(libc.malloc(8_500_000)) for _ in range(4)]
        for table in tables:
            libc.memset(table, 1, 8_500_000)
        for table in tables:
            libc.free(table)
contexts(2)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
contexts(10)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def test_the_tables_of_a_context_stay_in_the_process() -> None:
    faults = [
        int(subprocess.run([*python.command("-c", TABLES), *more], capture_output=True, check=True).stdout)
        for more in ((), ("with",))
    ]
    assert faults[0] > 10_000  # else glibc has changed, and the guard need not do this
    assert faults[1] < 100


def test_its_own_size_is_known() -> None:
    assert 10 * MEGABYTE < MemoryGuard(held_memory).resident() < 100_000 * MEGABYTE


def test_another_allocator_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_guard, "_EVERY", 1)
    mine = MemoryGuard(held_memory)
    monkeypatch.setattr(mine, "_trim", None)
    mine.release_freed()


def test_what_z3_gives_back_is_not_lost() -> None:
    spacer = Spacer(ProgressLog(), Watchdog(600))
    spacer.solve(LOSES, (), 1_000_000)  # tables that stay are made then
    before = held_memory()
    for _ in range(3):
        spacer.solve(LOSES, (), 1_000_000)
    assert held_memory() < before + 8 * MEGABYTE


def test_what_z3_loses_is_counted() -> None:
    """Fails once a release loses nothing any more: then replacing workers can go."""
    spacer = Spacer(ProgressLog(), Watchdog(600))
    before = held_memory()
    spacer.solve(LOSES, UNFOLDING, 50_000)
    assert held_memory() > before + 8 * MEGABYTE


def test_what_an_execution_loses_is_its_own() -> None:
    held = iter([20, 30, 130, 135])
    mine = MemoryGuard(lambda: next(held) * MEGABYTE)
    assert [mine.execution_lost_much() for _ in range(3)] == [False, True, False]


@pytest.mark.parametrize(("lost", "is_too_much"), [(MOST_LOST, False), (MOST_LOST + 1, True)])
def test_a_worker_is_of_no_use_when_z3_has_lost_too_much(lost: int, is_too_much: bool) -> None:
    assert MemoryGuard(lambda: lost).has_lost_too_much is is_too_much
