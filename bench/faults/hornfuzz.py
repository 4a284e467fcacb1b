"""Run HornFuzz (EASE 2023), and write each system that it gives to Spacer as a line of `bench.faults.recording.Made`.

PYTHON hornfuzz.py FILE NUMBER ARGUMENT...  # in a folder with HornFuzz's src/

PYTHON has the packages and the Z3 of HornFuzz, and nothing of chcfuzz. NUMBER starts its random choices, which would
differ in each run; with PYTHONHASHSEED=0, the order of its sets is the same, too. `bench.faults.peer` starts it.
"""

from __future__ import annotations

import json
import random
import runpy
import sys
from typing import Any

import z3

_MAIN = "src/main.py"


def record(path: str) -> None:
    """Let each solver with Spacer as its engine write its parameters and clauses to a file before it solves them."""
    set_before, check_before = z3.Solver.set, z3.Solver.check

    def set_and_note(solver: Any, *names_and_values: Any) -> None:
        set_before(solver, *names_and_values)
        vars(solver).setdefault("given", {}).update([names_and_values])

    def write_and_check(solver: Any, *assumptions: Any) -> Any:
        given = vars(solver).get("given", {})
        if given.get("engine") == "spacer":
            system = f"(set-logic HORN)\n{solver.sexpr()}(check-sat)\n"
            with open(path, "a") as stream:
                stream.write(json.dumps([system, _parameters(given), []]) + "\n")
        return check_before(solver, *assumptions)

    z3.Solver.set, z3.Solver.check = set_and_note, write_and_check


def _parameters(given: dict[str, Any]) -> list[tuple[str, str]]:
    """Return Spacer's parameters under their whole names; HornFuzz leaves out the module `fp`."""
    names = {name: f"fp.{name.removeprefix('fp.')}" for name in given}
    own = ("fp.spacer.", "fp.xform.")
    return sorted((whole, str(given[name]).lower()) for name, whole in names.items() if whole.startswith(own))


if __name__ == "__main__":
    record(sys.argv[1])
    random.seed(int(sys.argv[2]))
    sys.argv[:3] = [_MAIN]
    sys.path.insert(0, "src")
    runpy.run_path(_MAIN, run_name="__main__")
