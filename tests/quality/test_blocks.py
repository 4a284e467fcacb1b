"""Basic blocks of a library that is loaded (`bench/generators/blocks.py`)."""

import ctypes
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.benchmarks import benchmark

CODE = """
int choose(int x);
int choose(int x) { if (x > 10) { x *= 3; while (x > 7) x -= 5; return x; } return x + 1; }
"""
TOOLS = platform.machine() == "x86_64" and shutil.which("cc") and shutil.which("objdump")


@pytest.mark.skipif(not TOOLS, reason="needs cc, objdump and x86-64")
def test_blocks_are_counted_when_they_are_reached_and_the_code_works_as_before(tmp_path: Path) -> None:
    (tmp_path / "c.c").write_text(CODE)
    library = tmp_path / "libchosen.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", tmp_path / "c.c", "-o", library], check=True)
    choose = ctypes.CDLL(str(library)).choose
    expected = [choose(x) for x in (1, 20)]
    blocks = benchmark("generators.blocks").Blocks(tmp_path, "libchosen.so")
    blocks.begin()
    assert len(blocks.reached()) == 0
    assert choose(1) == expected[0]
    small = set(blocks.reached())
    assert choose(20) == expected[1]
    both = set(blocks.reached())
    assert 1 < len(small) < len(both) <= len(blocks)
    blocks.begin()
    assert choose(1) == expected[0]
    assert set(blocks.reached()) == small
