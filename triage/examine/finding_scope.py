"""Severity of findings, and whether Spacer's maintainers want a report (Z3 issues 3779 to 7319, named below)."""

from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import dataclass, replace

from chcfuzz.oracles.verdict import Severity, facts_of


class Switches(enum.StrEnum):
    """Options that have to be changed to reproduce a finding."""

    NONE = "all options default"
    ONE = "one option changed"
    SEVERAL = "several options changed"
    EXPERIMENTAL = "an unsupported option changed"


PREPROCESSING = "wrong only with the transforms on: Z3 issue 7319"  # the field `known` in records of older versions
LIKE_PREPROCESSING = "looks like Z3 issue 7319, because the model is right with inlining off"


@dataclass(frozen=True)
class Standing:
    """Severity of a finding and the options that it needs; records hold it in the field `scope`.

    `known` and `unsupported` are reasons against a report to the maintainers, each None if it does not apply.
    `maintainers` is true for what they want: a grave bug of Spacer that is new and needs few changed options. `words`
    summarizes all of it in one line. `looks_like` names a public issue that may be the cause; a finding with it is
    still reported.
    """

    severity: Severity
    switches: Switches
    known: str | None
    unsupported: str | None
    maintainers: bool
    words: str
    looks_like: str | None = None

    def like(self, issue: str) -> Standing:
        """Return the standing with a note on a public issue that may be the cause."""
        return replace(self, looks_like=issue, words=f"{self.words}; {issue}")

    def allowed(self, mode: str) -> Standing:
        """Return the standing with the solver's own mode that allows the changed options; unchanged without one."""
        return replace(self, words=f"{self.words}; {mode}") if mode else self


def standing(
    kind: str, parameters: Collection[str], known: str | None, unsupported: str | None, experimental: bool = False
) -> Standing:
    """Judge a finding of a kind that needs the parameters with these names.

    `known` is the field of its signature, and `unsupported` the domain's result for its mutant. `experimental` is true
    if one of the parameters is experimental.
    """
    severity, switches = facts_of(kind).severity, _switches(len(parameters), experimental)
    wanted = (
        severity in (Severity.ANSWER, Severity.STEP, Severity.MODEL, Severity.INTERPOLANT, Severity.CRASH)
        and switches in (Switches.NONE, Switches.ONE)
        and known is None
        and unsupported is None
    )
    words = "; ".join(filter(None, (severity, switches, known, unsupported)))
    return Standing(severity, switches, known, unsupported, wanted, words)


def _switches(number: int, experimental: bool) -> Switches:
    if experimental:
        return Switches.EXPERIMENTAL
    return (Switches.NONE, Switches.ONE, Switches.SEVERAL)[min(number, 2)]
