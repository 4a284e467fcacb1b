"""Runs of a finding's text as people run it: what they type, what is printed, and whether that shows the finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chcfuzz.oracles.errors import PRINTED_BEFORE
from chcfuzz.oracles.verdict import Severity, Subject, facts_of
from chcfuzz.triage.examine.signature import without_numbers

_ANSWER = re.compile(r"^(sat|unsat|unknown)\s*$", re.MULTILINE)
_BY_ANSWER = (Subject.ANSWER, Subject.MODEL, Subject.OUTPUT)


@dataclass(frozen=True)
class Reproduction:
    """One run: the `command` as typed in the finding's folder, and the whole `output`.

    `shows` is whether it shows the finding; None if a limit has ended it, or if it does not answer.
    """

    command: tuple[str, ...]
    output: str
    shows: bool | None


@dataclass(frozen=True)
class Symptom:
    """The part of a finding that its text must show by itself: the answer, the death or the message."""

    kind: str
    answer: str
    fault: str = ""

    @property
    def is_of_text(self) -> bool:
        """Whether one run of a solver on the text can show it; a cost, a history or a solver's step cannot."""
        facts = facts_of(self.kind)
        if facts.severity is Severity.STEP:
            return False
        return facts.subject in _BY_ANSWER or facts.severity is Severity.CRASH

    @property
    def is_of_answer(self) -> bool:
        """Whether the answer is the symptom, so that another answer refutes the finding."""
        return self.is_of_text and facts_of(self.kind).subject in _BY_ANSWER

    def verdict(self, output: str, code: int) -> bool | None:
        """Return whether a run shows it; None for a run that lacks the answer which would decide."""
        if self.is_of_answer and not _ANSWER.search(output):
            return None
        return self.is_shown(output, code)

    def is_shown(self, output: str, code: int) -> bool:
        """Return whether a run with this output and exit code shows it; the last answer of a script counts."""
        if facts_of(self.kind).subject is Subject.DEATH:
            return code < 0 or code > 128
        if facts_of(self.kind).subject in _BY_ANSWER:
            return _ANSWER.findall(output)[-1:] == [self.answer]
        message = self.fault.partition(": ")[2] or self.fault
        printed = without_numbers(" ".join(output.split()))
        return any(without_numbers(" ".join(each.split())) in printed for each in _forms(message))


def _forms(message: str) -> Sequence[str]:
    """Return a message as the library throws it, and as the program prints it."""
    return (message, PRINTED_BEFORE[message]) if message in PRINTED_BEFORE else (message,)


def is_refuted(symptom: Symptom, runs: Sequence[Reproduction]) -> bool:
    """Return whether all runs have ended with another answer than the one that is the finding."""
    return symptom.is_of_answer and bool(runs) and all(run.shows is False for run in runs)


def first_showing(runs: Iterable[Reproduction]) -> Reproduction | None:
    """Return the first run that shows the finding; None if no run does."""
    return next((run for run in runs if run.shows), None)
