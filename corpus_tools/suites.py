"""The layouts of the regression suites of Z3, cvc5 and Bitwuzla: files beside a script, and its expected output.

Z3 has `NAME.smt2` and `NAME.expected.out` (Z3Prover/z3test, regressions/smt2). cvc5 has directives in comments at the
top of `NAME.smt2` (test/regress/cli, with a list in CMakeLists.txt). Bitwuzla has `NAME.smt2` and `NAME.expect`
(test/regress, with a list in meson.build).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Files = Mapping[str, str]  # contents by the end of the name


def _z3(script: str, expected: str) -> Files:
    return {".smt2": script, ".expected.out": f"{expected}\n"}


def _cvc5(script: str, expected: str) -> Files:
    return {".smt2": f"; EXPECT: {expected}\n{script}"}


def _bitwuzla(script: str, expected: str) -> Files:
    return {".smt2": script, ".expect": f"{expected}\n"}


SUITES: Mapping[str, Callable[[str, str], Files]] = {"z3": _z3, "cvc5": _cvc5, "bitwuzla": _bitwuzla}
LISTS = {"cvc5": "CMakeLists.txt", "bitwuzla": "meson.build"}  # lists of a suite's files, which have to name new ones


def entries(suite: str, names: Sequence[str]) -> str:
    """Return the lines that add scripts to the list of a suite; empty for a suite without a list."""
    pattern = {"cvc5": "  {}", "bitwuzla": "  ['{}'],"}.get(suite)
    return "" if pattern is None else "".join(pattern.format(f"{name}.smt2") + "\n" for name in names)
