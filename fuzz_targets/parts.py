#!/usr/bin/env python3
"""Fuzz parts of solvers: `python fuzz_targets/parts.py corpus-parts/`; see `--help`."""

from __future__ import annotations

from chcfuzz.solvers import python

python.forget_current_folder()  # before anything else is imported
if __name__ == "__main__":
    python.leave_when_interrupted()

# ruff: noqa: E402
import sys
from pathlib import Path

from chcfuzz.fuzz_targets import program

if __name__ == "__main__":
    sys.exit(program.run(Path(__file__).resolve(), sys.argv[1:], "parts"))
