"""Reports of `replay` on a solver that ends its process."""

from typing import Any, NoReturn

import pytest
from chcfuzz.commands import replay
from chcfuzz.execution.child_process import ChildError
from chcfuzz.execution.exit_codes import EXIT_STUCK, EXIT_USAGE
from chcfuzz.solvers.outcome import Status


def _ended(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    def ends(_run: Any) -> NoReturn:
        raise ChildError(code)

    monkeypatch.setattr(replay, "run_in_child", ends)


def _never() -> NoReturn:
    raise AssertionError


def test_a_solver_that_does_not_return_is_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    _ended(monkeypatch, EXIT_STUCK)
    found = replay.reported_in_child(_never)
    assert (found.status, found.reason) == (Status.HANG.value, "it does not return when its time is over")


@pytest.mark.parametrize("code", [-11, 101])
def test_a_solver_that_ends_its_process_has_died(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    _ended(monkeypatch, code)
    found = replay.reported_in_child(_never)
    assert found.status == Status.CRASH.value
    assert len(found.faults) == 1


def test_an_error_of_ours_ends_with_its_own_code(monkeypatch: pytest.MonkeyPatch) -> None:
    _ended(monkeypatch, EXIT_USAGE)
    with pytest.raises(SystemExit) as end:
        replay.reported_in_child(_never)
    assert end.value.code == EXIT_USAGE
