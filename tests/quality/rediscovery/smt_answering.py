"""Print the answers of a release of an SMT solver to scripts: one JSON string per line of stdin, one answer per line.

The arguments are `z3 VERSION`, or `cvc5 FOLDER` or `bitwuzla FOLDER` with the folder of an unpacked wheel; without a
second one, the installed release runs. Run it in the root of the repository.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> None:
    """Answer every line."""
    solver, *release = sys.argv[1:]
    if solver == "z3":
        from chcfuzz.solvers.z3_release import activate

        activate(release[0] if release else None)
    else:
        sys.path[:0] = release
    sys.path.append(str(Path(__file__).resolve().parents[3]))
    from seeds.smt.solvers import SOLVERS

    for line in sys.stdin:
        text = json.loads(line)
        several = solver == "z3" and text.count("(check-sat)") > 1
        print(last_of_z3(text) if several else SOLVERS[solver](text), flush=True)


def last_of_z3(text: str) -> str:
    """Return Z3's answer to the last check of a script; its class `Solver` skips all checks of a text."""
    import z3

    context = z3.Context()
    return str(z3.Z3_eval_smtlib2_string(context.ref(), text)).split()[-1]


if __name__ == "__main__":
    main()
