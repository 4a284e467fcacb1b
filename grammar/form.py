"""The form of a problem: how a text states it, apart from its meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from chcfuzz.grammar.definitions import DefinedFunction
from chcfuzz.grammar.terms import Term

ALL = "ALL"  # the logic
CHECKS_INFO = "chcfuzz-checks"  # of `set-info`: the reader restores the form of the checks from it
CASES_INFO = "chcfuzz-cases"  # of `set-info`, with the value `match`: case distinctions are printed as that
MATCH = "match"
SHARING_INFO = "chcfuzz-sharing"  # of `set-info`, with the value `let`: terms with several places get names
LET = "let"
ONCE, TWICE, BETWEEN = "once", "twice", "between"
PUSH, AGAIN, ASIDE = "push", "again", "aside"
ASSUME = "assume"
WRITTEN = "written"  # not drawn: the commands that a text has
KINDS = (ONCE, TWICE, BETWEEN, PUSH, AGAIN, ASIDE, ASSUME)
_WRITTEN = re.compile(r"([a-z]+)-([0-9]{1,9})")


@dataclass(frozen=True)
class Event:
    """A command between the assertions of a script: before assertion number `at`, or at the end.

    `push` and `pop` open and close a level, `assert` states a formula that a later `pop` removes, and `check` checks
    before the last check, under its formulas as assumptions. Other words are those of queries (`grammar.queries`).
    """

    at: int
    word: str
    formulas: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Checks:
    """The checks of a script. The last one is about all assertions of the problem, and about no other formula.

    `once`: after all assertions. `twice`: two of them. `between`: one after `at` assertions, one after all.
    `push`: the assertions from number `at` on are on a new level. `again`: this level is checked, popped, and stated
    once more. `aside`: a level with the negation of assertion `at` is checked and popped first. `assume`: the
    assertions from number `at` on are implied by new constants, and the check assumes these. `written`: the script
    has `events`, and its last check assumes the last `assumed` assertions, as far as they are literals.
    """

    kind: str = ONCE
    at: int = 0
    events: tuple[Event, ...] = ()
    assumed: int = 0

    def __str__(self) -> str:
        return f"{self.kind}-{self.at}"


def checks_of(text: str) -> Checks | None:
    """Return the checks of this description; None for other text."""
    found = _WRITTEN.fullmatch(text)
    return Checks(found[1], int(found[2])) if found and found[1] in (*KINDS, WRITTEN) else None


@dataclass(frozen=True)
class Form:
    """How a text states a problem. Problems that differ only in their form have the same models.

    `definitions` may be called in the text, each in the formulas and in later definitions. `has_match`: the formulas'
    case distinctions by testers are printed as `match`. `has_let`: terms with several places are printed once, under a
    name. `logic` is that of `set-logic`; None for a text without it. A problem that has more features than its logic
    and `beyond`, those of the text that it was read from, is in `ALL`. `options` are those of SMT-LIB that a text sets
    for any solver, as names without the colon, and values. `queries` are those behind the last check.
    """

    definitions: tuple[DefinedFunction, ...] = ()
    checks: Checks = Checks()
    has_match: bool = False
    has_let: bool = False
    logic: str | None = ALL
    beyond: frozenset[str] = frozenset()
    options: tuple[tuple[str, str], ...] = ()
    queries: tuple[Event, ...] = ()

    @property
    def formulas(self) -> tuple[Term, ...]:
        """The formulas of queries and of levels that end before the last check."""
        return tuple(formula for each in (*self.queries, *self.checks.events) for formula in each.formulas)

    def restated(self, rewrite: Callable[[Term], Term]) -> Form:
        """Return the form with the formulas of queries and levels rewritten."""
        if not (self.queries or self.checks.events):
            return self
        checks = replace(self.checks, events=_restated(self.checks.events, rewrite))
        return replace(self, queries=_restated(self.queries, rewrite), checks=checks)

    def behind(self, number: int) -> Form:
        """Return the form of the problem with this number of new assertions before all others."""
        checks = self.checks
        events = tuple(replace(each, at=each.at + number) for each in checks.events)
        at = checks.at if checks.kind in (ONCE, TWICE, WRITTEN) else checks.at + number
        return replace(self, checks=replace(checks, at=at, events=events))


def _restated(events: Iterable[Event], rewrite: Callable[[Term], Term]) -> tuple[Event, ...]:
    return tuple(replace(each, formulas=tuple(map(rewrite, each.formulas))) for each in events)


PLAIN = Form()
