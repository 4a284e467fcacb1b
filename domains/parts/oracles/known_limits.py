"""Answers of parts that look wrong and are documented, or that misuse explains; they are never reported.

Each row has a test in `tests/domains/parts/oracles/test_known_limits.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class KnownLimit:
    """A documented limit of parts: an exception by its message, or a symbol that results may have."""

    name: str
    parts: tuple[str, ...]  # empty for all
    pattern: re.Pattern[str]
    source: str

    def covers(self, part: str, text: str) -> bool:
        """Return whether the limit explains a message, or a symbol, of a part."""
        return (not self.parts or part.partition(" ")[0] in self.parts) and self.pattern.search(text) is not None


def _limit(name: str, parts: Sequence[str], pattern: str, source: str) -> KnownLimit:
    return KnownLimit(name, tuple(parts), re.compile(pattern, re.IGNORECASE), source)


_BY_TACTICS = ("tactic", "tactic-proof", "simplifier", "eliminate", "qsat")
_OF_CVC5 = ("cvc5-simplify", "cvc5-eliminate", "cvc5-disjunct")
_INTERNAL = r"unreachable|unexpected|assertion|sorts? .*(match|compatible)|invalid argument|failed to verify"

EXCEPTIONS: tuple[KnownLimit, ...] = (
    _limit("objective", ("optimum", "pareto"), r"objective must be", "documentation: bit-vectors, integers and reals"),
    _limit(
        "partial function",
        ("cover", "ground"),
        r"^uninterpreted '.*' in",
        "Spacer: rules with symbols that it must not interpret",
    ),
    _limit(
        "undecided by the model",
        ("project", "witness", "mbp", "cover", "ground"),
        r"could not evaluate boolean in model|mbp evaluation was only partial",
        "src/qe/mbp/mbp_plugin.cpp:251, mbp_arith.cpp:683: a projection refuses what its model does not decide",
    ),
    _limit("canceled", (), r"canceled|max\. resource|max\. memory|out of memory|timeout", "limits of chcfuzz"),
    _limit("unsupported theory", (), r"not (supported|implemented)|unsupported", "documentation of tactics"),
    _limit("fragment of a tactic", _BY_TACTICS, rf"^(?!.*({_INTERNAL}))", "documentation of tactics: they may fail"),
)

SYMBOLS: tuple[KnownLimit, ...] = (
    _limit("division by zero", (), r"^(div0|mod0|rem0|/0|bv[su](div|rem|mod)(_i|0))$", "theory of Z3: total functions"),
    _limit("division by zero in cvc5", _OF_CVC5, r"^@\w+_by_zero(_\d+)?$", "the functions for a zero divisor"),
)

WITHOUT_CORES = frozenset(("ctx-solver-simplify", "qsat"))  # tactics after which a core is empty: they track none
MAY_LEAVE_VARIABLES = frozenset(("witness",))  # the header: a witness, and otherwise best effort


def explains_exception(part: str, message: str) -> bool:
    """Return whether a limit explains an exception of a part."""
    return any(limit.covers(part, message) for limit in EXCEPTIONS)


def explains_symbol(part: str, symbol: str) -> bool:
    """Return whether a limit explains a symbol in the result of a part."""
    return any(limit.covers(part, symbol) for limit in SYMBOLS)
