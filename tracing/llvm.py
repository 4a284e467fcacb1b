"""LLVM's programs, by whatever name the system has them."""

from __future__ import annotations

import shutil

from chcfuzz.grammar.errors import ChcfuzzError

_SUFFIXES = ("-19", "-20", "-21", "")


class ToolError(ChcfuzzError):
    """A program of LLVM is missing."""


def tool(name: str) -> str:
    """The path of a program such as `llvm-symbolizer`, of the release that builds Z3 if that is there."""
    found = next(filter(None, (shutil.which(name + suffix) for suffix in _SUFFIXES)), None)
    if found is None:
        raise ToolError(f"no {name} here; ./build_z3_traced.sh --install-deps brings it")
    return found
