"""The process in which one build of Z3 runs SMT-LIB files as they are (`execution.worker_pool`)."""

from __future__ import annotations

from chcfuzz.corpus_tools.script_messages import ScriptQuery, ScriptReady, ScriptReply
from chcfuzz.execution.worker_pool import begin


def main() -> None:
    """Run the scripts that the parent sends, until it ends."""
    helper = begin()
    from chcfuzz.solvers.watchdog import Watchdog
    from chcfuzz.solvers.z3_script import printed

    watchdog = Watchdog(helper.solving.wall_seconds)
    helper.ready(ScriptReady())
    for query in helper.queries(ScriptQuery):
        helper.send(ScriptReply(printed(query.text, query.parameters, helper.solving.rlimit, watchdog)))


if __name__ == "__main__":
    main()
