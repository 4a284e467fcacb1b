"""Solvers that users, recipes and records name, with settings as in `z3:sat.euf=true`, or a release as in `z3@5.3.0.0`.

`grammar.smt_options` determines the settings that are allowed.
"""

from __future__ import annotations

import re

from chcfuzz.grammar.smt_options import is_allowed, is_harmless, is_self_check

__all__ = ["ISOLATED", "SOLVER", "is_allowed", "is_harmless", "is_self_check", "is_version"]

SOLVER = "solver"  # the parameter of a recipe that names the solver under test, if there are several
ISOLATED = ("cvc5", "bitwuzla")  # their failed assertions abort the process
_VERSION = re.compile(r"\d+(\.\d+){1,3}")


def is_version(text: str) -> bool:
    """Return whether a text looks like the version of a release, such as 1.3.2."""
    return _VERSION.fullmatch(text) is not None
