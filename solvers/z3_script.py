"""A script as Z3 runs it from a file: any logic, several checks, rules and queries."""

from __future__ import annotations

from chcfuzz.grammar.problem import Pairs
from chcfuzz.solvers.watchdog import Watchdog


def printed(text: str, parameters: Pairs, rlimit: int, watchdog: Watchdog) -> str:
    """Return all that Z3 prints for a script under global parameters, which are at their defaults otherwise."""
    import z3

    z3.reset_params()
    z3.set_param("rlimit", rlimit)
    try:
        for name, value in parameters:
            z3.set_param(name, value)
        context = z3.Context()
        with watchdog.guard(context):
            return str(z3.Z3_eval_smtlib2_string(context.ref(), text))
    except z3.Z3Exception as error:
        return f'(error "{error}")\n'
