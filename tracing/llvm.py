"""LLVM's programs, under the names that systems give them."""

from __future__ import annotations

import shutil

from chcfuzz.grammar.errors import ChcfuzzError

_SUFFIXES = ("-19", "-20", "-21", "")


class ToolError(ChcfuzzError):
    """A program of LLVM is missing."""


def tool(name: str) -> str:
    """Return the path of a program such as `llvm-symbolizer`, preferably of the release that builds Z3."""
    found = next(filter(None, (shutil.which(name + suffix) for suffix in _SUFFIXES)), None)
    if found is None:
        raise ToolError(f"{name} is missing; ./build_z3_traced.sh --install-deps installs it")
    return found
