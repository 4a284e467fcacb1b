"""What the allocator holds and nobody uses goes back, and only when there is more of it."""

import pytest
from chcfuzz.campaign import ballast
from chcfuzz.campaign.ballast import Ballast

MEGABYTE = 1 << 20


def test_memory_goes_back_after_a_worker_has_grown_and_not_again_until_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([500, 120, 130, 180, 190, 125])
    monkeypatch.setattr(ballast, "_resident", lambda: next(sizes) * MEGABYTE)
    monkeypatch.setattr(ballast, "_EVERY", 1)
    trimmed = []
    mine = Ballast()
    monkeypatch.setattr(mine, "_trim", trimmed.append)
    seen = []
    for _ in range(4):
        mine.drop()
        seen.append(mine.size // MEGABYTE)
    assert seen == [120, 130, 180, 125]
    assert len(trimmed) == 2


def test_its_own_size_is_known() -> None:
    assert 10 * MEGABYTE < ballast._resident() < 100_000 * MEGABYTE


def test_another_allocator_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ballast, "_EVERY", 1)
    mine = Ballast()
    monkeypatch.setattr(mine, "_trim", None)
    mine.drop()
