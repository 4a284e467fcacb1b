"""Classes of deaths: how a solver ended its process, by the signal and by the last message that it printed."""

from __future__ import annotations

import re
import signal

from chcfuzz.solvers.faults import FaultClass

_MEMORY = re.compile(r"bad_alloc|out of memory|Cannot allocate memory|MemoryError", re.IGNORECASE)
_ASSERTION = re.compile(r"Assertion .* failed|Check failure|Fatal failure within|Unreachable code|ASSERTION VIOLATION")
_UNCAUGHT = re.compile(r"terminate called after throwing an instance of '([^']*)'(?:\s*what\(\):\s*(.*))?")
_PLACE = re.compile(r"(?:/[^\s/]+)+/(?=[^\s/]+:\d)")  # the folders of a source file
_MOST = 300  # characters


def is_out_of_memory(printed: str) -> bool:
    """Return whether a process that died had reached its memory limit."""
    return _MEMORY.search(printed) is not None


def death(number: int, printed: str) -> str:
    """Return the class of a death, with the message of a failed assertion."""
    if number == signal.SIGFPE:
        return FaultClass.DIVISION_BY_ZERO.value
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    at = next((index for index, line in enumerate(lines) if _ASSERTION.search(line)), None)
    if at is not None:
        message = " ".join(lines[at : at + 3])  # cvc5 prints the place, "Check failure" and the condition
        return FaultClass.ASSERTION.of(_PLACE.sub("", message)[:_MOST])
    if uncaught := _UNCAUGHT.search(printed):
        what = f": {uncaught[2][:_MOST]}" if uncaught[2] else ""
        return FaultClass.UNCAUGHT.of(uncaught[1] + what)
    last = f": {lines[-1][:_MOST]}" if lines and number == signal.SIGABRT else ""
    return FaultClass.SIGNAL.of(signal.Signals(number).name + last) if number > 0 else FaultClass.END.of(last)
