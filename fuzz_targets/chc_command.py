#!/usr/bin/env python3
"""Fuzz any CHC solver that is a command: `python fuzz_targets/chc_command.py --command "eld -ssol" corpus/`.

This is the same campaign as `spacer.py`'s. The features of an execution come from the output of the command: its
answer, the structure of its model, the class of its error. Z3 checks its models, and Spacer is the second solver.
"""

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
    sys.exit(program.run(Path(__file__).resolve(), sys.argv[1:], is_command=True))
