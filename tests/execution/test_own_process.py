"""Something done in a process of its own: its result, its death, and its end when nobody waits any more."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.execution.own_process import DiedError, apart

from tests.targets import SAFETY_NET, lives


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


_INTERRUPTED = """
import os, signal, sys, time
from chcfuzz.execution.own_process import apart

here = os.getpid()

def interrupts_and_goes_on():
    with open(sys.argv[1], "w") as file:
        file.write(str(os.getpid()))
    os.kill(here, signal.SIGINT)
    time.sleep(3600)

apart(interrupts_and_goes_on)
"""


def test_an_interrupt_leaves_no_process_behind(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    command = [sys.executable, "-c", _INTERRUPTED, str(noted)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SAFETY_NET, check=False)
    assert "KeyboardInterrupt" in done.stderr
    assert not lives(int(noted.read_text()))
