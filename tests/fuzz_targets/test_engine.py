"""The process of libFuzzer ends, whatever libFuzzer does."""

import subprocess
import sys

from tests.targets import ROOT, SAFETY_NET

FUZZ = """
from pathlib import Path
from chcfuzz.fuzz_targets import engine
callbacks = engine.Callbacks(lambda data: None, lambda data, *_: data, lambda first, *_: first)
engine.fuzz(Path("target.py"), ["-seed=99999999999999999999"], callbacks, [])
"""


def test_an_exception_of_libfuzzer_ends_the_process_with_one_line() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", FUZZ], cwd=ROOT, capture_output=True, text=True, timeout=SAFETY_NET, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1] == "chcfuzz: libFuzzer failed: IndexError: stoul"
    assert "Traceback" not in ended.stderr
