"""Names that solvers give to terms which occur several times in a text that they print.

A solver's command avoids the names that its script declares. Its library knows no script: `Z3_ast_to_string` prints
`(let ((a!1 ...)) ...)` although the term contains a constant `a!1`, and the text states another term.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

OF_Z3 = r"a![0-9]+"
_NAME = re.compile(rf"(?<![^\s()])(?:{OF_Z3}|_let_[0-9]+)(?![^\s()])")  # the latter of cvc5
_BINDS = "(let ("


def ambiguous_name(text: str, declared: Iterable[str]) -> str:
    """Return a declared name that a printed text may give to another term; empty without one."""
    return min(set(_NAME.findall(text)).intersection(declared), default="") if _BINDS in text else ""
