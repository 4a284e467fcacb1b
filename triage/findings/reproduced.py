"""A confirmed finding with the runs of released solvers on its text; it has vanished if its text does not show it."""

from __future__ import annotations

from dataclasses import replace

from chcfuzz.triage.examine.conclusion import End
from chcfuzz.triage.examine.confirm import Confirmation
from chcfuzz.triage.examine.reproduction import is_refuted
from chcfuzz.triage.findings.folder import record_of
from chcfuzz.triage.findings.reductions import system_of
from chcfuzz.triage.findings.reproducing import in_words, reproductions, symptom_of


def reproduced(confirmation: Confirmation) -> Confirmation:
    """Return a confirmation with the runs on its text; it has vanished if all of them answer otherwise."""
    record = record_of(confirmation)
    runs = reproductions(record, system_of(""), confirmation.description.mutant)
    found = replace(confirmation, reproductions=runs)
    if not is_refuted(symptom_of(record), runs):
        return found
    words = f"its text does not show it: {in_words(runs)}"
    return replace(found, conclusion=replace(found.conclusion, end=End.VANISHED, words=words))
