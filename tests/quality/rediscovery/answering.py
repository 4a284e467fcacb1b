"""Run a release of Z3 on scripts: read JSON lines from stdin and print one answer per line.

A line of input is a script and its parameters, `[text, [[name, value], ...]]`. The release is an argument; without it,
the installed one runs. With the argument `program`, its z3 program answers in place of the library.
"""

from __future__ import annotations

import json
import sys

from chcfuzz.execution.solving import DEFAULT_RLIMIT, PROGRAM
from chcfuzz.grammar.solver_options import is_allowed
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.command import DEFAULT_MEMORY_MEGABYTES
from chcfuzz.solvers.solver import Solver
from chcfuzz.solvers.z3_program import z3_program

WALL_SECONDS = 60.0  # the seeds reach the resource limit in less than a hundredth of this


def main() -> None:
    """Answer every line."""
    release = next((word for word in sys.argv[1:] if word != PROGRAM), None)
    z3_release.activate(release)
    from chcfuzz.domains.chc.solvers.spacer import FrontEnds, Spacer
    from chcfuzz.solvers.watchdog import Watchdog
    from chcfuzz.tracing.progress_log import ProgressLog

    events, watchdog = ProgressLog(), Watchdog(WALL_SECONDS)
    spacer: Solver = Spacer(events, watchdog)
    executable = z3_release.active().executable
    if PROGRAM in sys.argv and executable is not None:
        program = z3_program(executable, is_allowed, WALL_SECONDS, DEFAULT_MEMORY_MEGABYTES)
        spacer = FrontEnds(events, watchdog, program, is_program_first=True)
    for line in sys.stdin:
        text, parameters = json.loads(line)
        print(
            spacer.solve(text, [(name, value) for name, value in parameters], DEFAULT_RLIMIT).status.value, flush=True
        )


if __name__ == "__main__":
    main()
