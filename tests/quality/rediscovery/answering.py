"""What a release of Z3 answers, in a process of its own: it reads JSON from stdin and prints an answer a line.

A line of input is a script and its parameters, `[text, [[name, value], ...]]`; the release is the only argument, and
none is the installed one.
"""

from __future__ import annotations

import json
import sys

from chcfuzz.execution.solving import DEFAULT_RLIMIT
from chcfuzz.solvers import z3_release

WALL_SECONDS = 60.0  # behind the resource limit: the seeds take less than a hundredth of it


def main() -> None:
    """Answer every line."""
    z3_release.activate(sys.argv[1] if len(sys.argv) > 1 else None)
    from chcfuzz.solvers.spacer import Spacer
    from chcfuzz.solvers.watchdog import Watchdog
    from chcfuzz.tracing.progress_log import ProgressLog

    spacer = Spacer(ProgressLog(), Watchdog(WALL_SECONDS))
    for line in sys.stdin:
        text, parameters = json.loads(line)
        print(
            spacer.solve(text, [(name, value) for name, value in parameters], DEFAULT_RLIMIT).status.value, flush=True
        )


if __name__ == "__main__":
    main()
