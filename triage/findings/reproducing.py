"""Run the text of a finding as a maintainer would: with the released program, and else through the library.

Each run is a process of its own in a folder that has only the text and the programs of show.sh.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from chcfuzz.execution.domain import recorded_domain
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers import process
from chcfuzz.triage.examine.conclusion import End
from chcfuzz.triage.examine.confirm import Confirmation
from chcfuzz.triage.examine.reproduction import Reproduction, Symptom, first_showing, is_refuted
from chcfuzz.triage.findings.contents import PROGRAMS
from chcfuzz.triage.findings.folder import record_of
from chcfuzz.triage.findings.record import Record

_SECONDS = 60.0  # for each run
_MOST_OUTPUT = 20_000  # characters that a record keeps


@dataclass(frozen=True)
class ReleasedRun:
    """A run of a released solver: the words that a person types in the folder, and those that this machine runs."""

    typed: tuple[str, ...]
    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


def reproduced(confirmation: Confirmation) -> Confirmation:
    """Return a confirmation with the runs on its text; it has vanished if all of them answer otherwise."""
    record = record_of(confirmation)
    runs = reproductions(record, "mutant.smt2", confirmation.description.mutant)
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
