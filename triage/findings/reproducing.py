"""Run the text of a finding as a maintainer would: with the released program, and else through the library.

Each run is a process of its own in a folder that has only the text and the programs of show.sh.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from chcfuzz.execution.domain import recorded_domain
from chcfuzz.execution.solving import Solving
from chcfuzz.oracles.verdict import Severity, Subject, facts_of
from chcfuzz.solvers import process
from chcfuzz.triage.examine.conclusion import End, Reproduction, first_showing
from chcfuzz.triage.examine.confirm import Confirmation
from chcfuzz.triage.examine.signature import without_numbers
from chcfuzz.triage.findings.contents import INPUT, PROGRAMS
from chcfuzz.triage.findings.folder import record_of
from chcfuzz.triage.findings.record import Record

_SECONDS = 60.0  # for each run
_MOST_OUTPUT = 20_000  # characters that a record keeps
_ANSWER = re.compile(r"^(sat|unsat|unknown)\s*$", re.MULTILINE)
# Text that Z3 prints to the standard error output before it throws a message (`util/debug.cpp`).
_PRINTED_BEFORE = {"unreachable": "ASSERTION VIOLATION"}
_BY_ANSWER = (Subject.ANSWER, Subject.MODEL, Subject.OUTPUT)


@dataclass(frozen=True)
class ReleasedRun:
    """A run of a released solver: the words that a person types in the folder, and those that this machine runs."""

    typed: tuple[str, ...]
    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


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


def reproduced(confirmation: Confirmation) -> Confirmation:
    """Return a confirmation with the runs on its text; it has vanished if all of them answer otherwise."""
    record = record_of(confirmation)
    own = confirmation.described.input
    runs = reproductions(record, INPUT if own else "mutant.smt2", own or confirmation.description.mutant)
    found = replace(confirmation, reproductions=runs)
    if not is_refuted(symptom_of(record), runs):
        return found
    words = f"its text does not show it: {in_words(runs)}"
    return replace(found, conclusion=replace(found.conclusion, end=End.VANISHED, words=words))


def reproductions(
    record: Record, system: str, text: str, command: Sequence[str] = (), symptom: Symptom | None = None
) -> tuple[Reproduction, ...]:
    """Run a text of a finding until a run shows it; empty if no run of a released solver can show such a finding.

    `system` is the name of its file, and `command` the command line that ran on it, if the solver is a command.
    """
    symptom, domain = symptom or symptom_of(record), recorded_domain(record.solving)
    runs = domain.released_runs(record, system, command) if symptom.is_of_text else ()
    found: list[Reproduction] = []
    with tempfile.TemporaryDirectory(prefix="chcfuzz-reproduction-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for file, content in {**PROGRAMS, **domain.programs, system: text}.items():
            (folder / file).write_text(content)
        for run in runs:
            found += _reproduction(run, folder, symptom, Solving.parsed(record.solving).memory_megabytes)
            if first_showing(found) is not None:
                break
    return tuple(found)


def symptom_of(record: Record) -> Symptom:
    """Return the part of a finding that its text must show."""
    return Symptom(record.kind, record.answer, record.fault)


def _reproduction(run: ReleasedRun, folder: Path, symptom: Symptom, megabytes: int) -> Iterator[Reproduction]:
    """Yield the result of a run; nothing if its program is not here."""
    try:
        ended = process.run(run.words, _SECONDS, megabytes, folder, run.environment)
    except OSError:
        return
    output = f"{ended.out}{ended.err}"
    shown = output[:_MOST_OUTPUT]
    if shown != output:
        shown += f"\n(cut after {_MOST_OUTPUT:,} characters)\n"
    if ended.stopped:
        yield Reproduction(run.typed, f"{shown}it has reached a limit: {ended.stopped}\n", shows=None)
    else:
        yield Reproduction(run.typed, shown, symptom.verdict(output, ended.code))


def in_words(runs: Sequence[Reproduction]) -> str:
    """Return the runs in one line, the one that shows the finding first."""
    words = {True: "shows it", False: "does not show it", None: "does not answer"}
    ordered = sorted(runs, key=lambda run: run.shows is not True)
    return ", ".join(f"`{' '.join(run.command)}` {words[run.shows]}" for run in ordered)


def _forms(message: str) -> Sequence[str]:
    """Return a message as the library throws it, and as the program prints it."""
    return (message, _PRINTED_BEFORE[message]) if message in _PRINTED_BEFORE else (message,)


def is_refuted(symptom: Symptom, runs: Sequence[Reproduction]) -> bool:
    """Return whether all runs have ended with another answer than the one that is the finding."""
    return symptom.is_of_answer and bool(runs) and all(run.shows is False for run in runs)
