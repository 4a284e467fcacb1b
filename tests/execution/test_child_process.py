"""Functions in a forked child: their results, their deaths, and their end with the caller.

Each test runs a fresh Python: a process that forks must not have other threads, and the test runner has.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.targets import SAFETY_NET, lives

_BEGIN = """
import os, signal, sys, time
from chcfuzz.execution.child_process import ChildError, run_in_child
here = os.getpid()
"""


def ran(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _BEGIN + code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=SAFETY_NET, check=False)


def test_what_is_returned_comes_back() -> None:
    assert ran("print(run_in_child(os.getpid) != here, run_in_child(lambda: {'a': [1]}))").stdout == "True {'a': [1]}\n"


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "-9 dies of signal 9 (Killed)\n"),
        ("os._exit(7)", "7 ends with exit code 7\n"),
    ],
)
def test_a_death_is_told_by_its_signal_or_code(does: str, told: str) -> None:
    code = f"try:\n    run_in_child(lambda: {does})\nexcept ChildError as death:\n    print(death.code, death)"
    assert ran(code).stdout == told


def test_an_error_of_ours_is_told_and_stays_in_its_process() -> None:
    done = ran("try:\n    run_in_child(lambda: {}['nothing'])\nexcept ChildError as death:\n    print(death.code)")
    assert done.stdout == "1\n"
    assert "KeyError: 'nothing'" in done.stderr


def test_an_interrupt_leaves_no_process_behind(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    goes_on = (
        "def goes_on():\n    open(sys.argv[1], 'w').write(str(os.getpid()))\n    os.kill(here, signal.SIGINT)\n"
        "    time.sleep(3600)\nrun_in_child(goes_on)"
    )
    assert "KeyboardInterrupt" in ran(goes_on, noted).stderr
    assert not lives(int(noted.read_text()))
