"""Run a release of Z3 on scripts: read JSON lines from stdin and print one answer per line.

A line of input is a script and its parameters, `[text, [[name, value], ...]]`. The release is the only argument;
without it, the installed one runs.
"""

from __future__ import annotations

import json
import sys

from chcfuzz.execution.solving import DEFAULT_RLIMIT
from chcfuzz.solvers import z3_release

WALL_SECONDS = 60.0  # the seeds reach the resource limit in less than a hundredth of this


def main() -> None:
    """Answer every line."""
    z3_release.activate(sys.argv[1] if len(sys.argv) > 1 else None)
    from chcfuzz.domains.chc.solvers.spacer import Spacer
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
