"""Global parameters of Z3, set for one execution.

Parameters such as `smt.arith.solver` and `sat.euf` are global in Z3: `Solver.set` knows only those of the solver that
it has, and silently ignores others. They are set before the context is made, as `z3 NAME=VALUE file` does, and
restored afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal

import z3

_NUMBER = re.compile(r"\d+(\.\d+)?")
_WITH_EXPONENT = re.compile(r"\d+(\.\d+)?e[-+]?\d+")


def has_parameter(name: str) -> bool:
    """Return whether this Z3 has a parameter, without Z3's warning on the standard error, which lists all others."""
    z3.Z3_toggle_warning_messages(False)
    try:
        z3.get_param(name)
    except z3.Z3Exception:
        return False
    finally:
        z3.Z3_toggle_warning_messages(True)
    return True


@contextmanager
def set_globally(parameters: Sequence[tuple[str, str]]) -> Iterator[frozenset[str]]:
    """Set parameters and restore their values: after `reset_params`, Z3 5.4 may have lost the module `rewriter`.

    The result has the names of those whose value Z3 takes; for others, it only warns on the standard error.
    """
    before = {name: _without_exponent(z3.get_param(name)) for name, _ in parameters}
    for name, value in parameters:
        z3.set_param(name, value)
    try:
        yield frozenset(name for name, value in parameters if _has_taken(name, value, before[name]))
    finally:
        for name, value in before.items():
            z3.set_param(name, value)


def _without_exponent(value: str) -> str:
    """Return a value as Z3 reads it: it prints the number 1e-05, and refuses it."""
    return f"{Decimal(value):f}" if _WITH_EXPONENT.fullmatch(value) else value


def _has_taken(name: str, value: str, before: str) -> bool:
    """Return whether Z3 has taken a value: the parameter has changed, or the value is that of before."""
    has_changed = _without_exponent(z3.get_param(name)) != before
    are_numbers = all(map(_NUMBER.fullmatch, (value, before)))
    return has_changed or value == before or (are_numbers and float(value) == float(before))
