"""A libFuzzer that is preloaded, as Atheris advises and OSS-Fuzz's wrapper does, against the custom mutator."""

import re
import subprocess
import sys
from pathlib import Path

import atheris
import pytest

from tests.targets import ROOT, Run

OF_ATHERIS = ("asan_with_fuzzer.so", "ubsan_with_fuzzer.so")


def preloadable(name: str) -> Path:
    """Return a library of Atheris, if LD_PRELOAD can hold its path."""
    library = Path(atheris.path()) / name
    assert library.is_file()
    if " " in str(library):
        pytest.skip("LD_PRELOAD cannot hold a space, and the path of Atheris has one")
    return library


@pytest.mark.parametrize("name", [OF_ATHERIS[0], pytest.param(OF_ATHERIS[1], marks=pytest.mark.slow)])
def test_a_preloaded_libfuzzer_is_dropped_and_the_custom_mutator_lives(run: Run, seeds: Path, name: str) -> None:
    library = preloadable(name)
    ended = run(
        "--verbose", "grown/", seeds, "-runs=80", "-seed=1", LD_PRELOAD=str(library), ASAN_OPTIONS="detect_leaks=0"
    )
    assert ended.code == 0, ended.err
    assert re.search(r"MS: \d+ .*Custom", ended.err)
    assert "Loaded 1 modules" in ended.err


def test_other_libraries_stay_preloaded() -> None:
    other = next(line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "/libm.so" in line)
    code = "import os; from chcfuzz.fuzz_targets import preloaded; preloaded.start_again_without_libfuzzer()"
    both = f"{other}:{preloadable(OF_ATHERIS[1])}"
    command = [sys.executable, "-c", f"{code}; print(os.environ['LD_PRELOAD'])"]
    environment = {"LD_PRELOAD": both, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == f"{other}\n", done.stderr


def test_one_that_came_in_otherwise_is_refused() -> None:
    library = str(Path(atheris.path()) / OF_ATHERIS[1])
    code = (
        f"import ctypes; ctypes.CDLL({library!r}, mode=ctypes.RTLD_GLOBAL); "
        "from chcfuzz.fuzz_targets import preloaded; preloaded.start_again_without_libfuzzer()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "UsageError: libFuzzer is loaded already" in done.stderr
