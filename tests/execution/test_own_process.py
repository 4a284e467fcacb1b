"""Something done in a process of its own: its result, its death, and its end when nobody waits any more."""

import os
import signal
import time
from pathlib import Path

import pytest
from chcfuzz.execution.own_process import DiedError, apart

from tests.targets import lives


def test_what_is_returned_comes_back() -> None:
    assert apart(lambda: {"pid": os.getpid()})["pid"] != os.getpid()


def test_a_death_is_told_by_its_signal() -> None:
    with pytest.raises(DiedError, match="dies of signal 9 ") as caught:
        apart(lambda: os.kill(os.getpid(), signal.SIGKILL))
    assert caught.value.code == -9


def test_an_exit_is_told_by_its_code() -> None:
    with pytest.raises(DiedError, match="ends with exit code 7"):
        apart(lambda: os._exit(7))


def test_an_error_of_ours_is_told_and_stays_in_its_process(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DiedError, match="ends with exit code 1"):
        apart(lambda: {}["nothing"])
    assert "KeyError: 'nothing'" in capfd.readouterr().err


def test_an_interrupt_leaves_no_process_behind(tmp_path: Path) -> None:
    here, noted = os.getpid(), tmp_path / "pid"

    def interrupts_and_goes_on() -> None:
        noted.write_text(str(os.getpid()))
        os.kill(here, signal.SIGINT)
        while True:
            time.sleep(1)

    with pytest.raises(KeyboardInterrupt):
        apart(interrupts_and_goes_on)
    assert not lives(int(noted.read_text()))
