"""The process in which one build of Z3 runs SMT-LIB files as they are (`execution.worker_pool`)."""

from __future__ import annotations

from chcfuzz.corpus_tools.script_messages import Ready, Reply, ScriptQuery
from chcfuzz.execution.worker_pool import begin


def main() -> None:
    """Run the process until its input ends."""
    helper = begin()
    import z3
    from chcfuzz.solvers.watchdog import Watchdog

    watchdog = Watchdog(helper.solving.wall_seconds)
    helper.ready(Ready())
    for query in helper.queries(ScriptQuery):
        z3.reset_params()
        z3.set_param("rlimit", helper.solving.rlimit)
        try:
            for name, value in query.parameters:
                z3.set_param(name, value)
            context = z3.Context()
            with watchdog.guard(context):
                output = z3.Z3_eval_smtlib2_string(context.ref(), query.text)
        except z3.Z3Exception as error:  # such as an unknown parameter
            output = f'(error "{error}")\n'
        helper.send(Reply(output))


if __name__ == "__main__":
    main()
