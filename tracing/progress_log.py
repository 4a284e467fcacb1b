r"""Events of the stock wheel: Spacer's own progress log (`spacer.trace_file`, Z3's `spacer_context.cpp`).

The format of the log, in every release from 4.8.12 on::

    * LEVEL 2

    ** expand-pob: Start level: 1 depth: 0 exprID: 583 pobID: 1
    (and (= Start_2_n 16) (= Start_0_n 0))

    ** add-lemma: 1 exprID: 3706 pobID: 583
    Start
    (or (not (= Start_2_n 16)) (< Start_0_n 0))

    Propagating

An event consists of the kind of step, its level, its depth and its predicate. Formulas and the numbers of expressions
and proof obligations are left out: with them every irrelevant change would make a new trace (HornFuzz makes the same
choice for Z3's text traces). Predicates are numbered by first occurrence, so that a renamed predicate does not matter.
For transitions, levels and depths are grouped into classes (0, 1, 2, 3-4, 5-8, ...).

The log does not show Z3's rule transforms. Their events come first, from the output at verbosity 1 (`transforms`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from typing import Protocol

import numpy as np
from chcfuzz.tracing.edges import NO_EDGES
from chcfuzz.tracing.trace import EventSequence, Trace, make_trace
from chcfuzz.tracing.transforms import label_of, number_of, step_of, transforms_in

MAX_LOG = 8 << 20  # bytes; longer logs are cut, always at the same place
_EVENT = re.compile(
    rb"^\*\* expand-pob: (?P<pob>.*) level: (?P<level>\d+|oo) depth: (?P<depth>\d+) "
    rb"|^\*\* add-lemma: (?P<lemma>\d+|oo) .*\n(?P<of>.*)$"
    rb"|^\* LEVEL (?P<reached>\d+)$"
    rb"|^(?P<propagate>Propagating)$",
    re.MULTILINE,
)
_POB, _LEMMA, _LEVEL, _PROPAGATE, _TRANSFORM = range(5)
_Fields = tuple[bytes | None, ...]  # the groups of `_EVENT`
_INFINITE = 63
_CLASSES = ("0", "1", "2", "3-4", "5-8", "9-16", "17-32", "over 32")  # by `_class`


@dataclass(frozen=True)
class Entry:
    """A step of Spacer: a description of its event, and the formula of the obligation or lemma as Spacer prints it."""

    label: str
    formula: str


class Printed(Protocol):
    """The output of Z3 at verbosity 1 (`domains.chc.solvers.verbose_output`)."""

    @property
    def text(self) -> bytes:
        """The beginning of the output of the last `recording`."""

    def recording(self) -> AbstractContextManager[None]:
        """Let Z3 print in the block."""


class ProgressLog:
    """The log of one execution after another, in memory: Spacer writes to the path of a `memfd`."""

    edges = NO_EDGES
    traces_refusals = False
    has_features = False

    def __init__(self, printed: Printed | None = None) -> None:
        """Create the file in memory; `printed` shows the rule transforms, which are not events without it."""
        self.name = "progress-log" if printed is None else "progress-log+transforms"
        self._printed = printed
        self._file = os.memfd_create("spacer-progress-log")

    def options(self) -> tuple[tuple[str, str], ...]:
        """Return the parameters that make Spacer write here; it truncates the file when it opens the path."""
        return (("fp.spacer.trace_file", f"/proc/self/fd/{self._file}"),)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Clear the last execution's log, in case the next execution fails before Spacer opens it, and record that."""
        os.ftruncate(self._file, 0)
        with nullcontext() if self._printed is None else self._printed.recording():
            yield

    def read(self) -> Trace:
        """Return the trace of the last recorded execution."""
        log, complete = self._log()
        return trace_of(log, complete, self._transforms())

    def sequence(self, most: int) -> EventSequence:
        """Return the first `most` events of the last recorded execution."""
        return sequence_of(self._log()[0], most, self._transforms())

    def text(self) -> bytes:
        """Return the log of the last recorded execution, without what is too long to be read."""
        return self._log()[0]

    def _transforms(self) -> bytes:
        return b"" if self._printed is None else self._printed.text

    def _log(self) -> tuple[bytes, bool]:
        """Return the log, and whether it is complete."""
        size = os.fstat(self._file).st_size
        return os.pread(self._file, min(size, MAX_LOG), 0), size <= MAX_LOG


def trace_of(log: bytes, complete: bool = True, printed: bytes = b"") -> Trace:
    """Return the trace of a log, and of the transforms that were printed; lines of unknown kinds are skipped."""
    events: list[int] = []
    steps: list[int] = []
    for event, step, _ in chain(_transforms(printed), _events(log)):
        events.append(event)
        steps.append(step)
    return make_trace(np.array(events, np.uint32), np.array(steps, np.uint16), complete)


def sequence_of(log: bytes, most: int, printed: bytes = b"") -> EventSequence:
    """Return the first `most` events of a log, with the names of predicates in the log."""
    changes = list(_transforms(printed))
    transforms = {event: label for event, _, label in changes}
    found = list(islice(chain(changes, _events(log)), most))
    names = {event: name for event, _, name in found if event not in transforms}  # many events occur again and again
    labels = transforms | {event: _label(event, name) for event, name in names.items()}
    kinds = transforms | {event: _kind(event) for event in names}
    return EventSequence(np.array([event for event, _, _ in found], np.uint32), labels, kinds)


def entries_of(log: bytes) -> tuple[Entry, ...]:
    """Return the entries of a log, without the numbers of expressions and proof obligations."""
    matches = list(_EVENT.finditer(log))
    ends = [*(match.start() for match in matches[1:]), len(log)][: len(matches)]
    bodies = (log[match.end() : end].partition(b"\n")[2].strip() for match, end in zip(matches, ends, strict=True))
    labels = (_label(event, name) for event, _, name in _events(log))
    return tuple(Entry(label, body.decode(errors="replace")) for label, body in zip(labels, bodies, strict=True))


def _transforms(printed: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield each transform that changed rules: its number, its coarser step, and its label."""
    for transform in transforms_in(printed):
        yield _TRANSFORM << 24 | number_of(transform), _PROPAGATE << 14 | step_of(transform), label_of(transform)


def _events(log: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield each event of a log: its number, its coarser step, and its predicate (empty without one)."""
    predicates: dict[bytes, int] = {}
    known: dict[_Fields, tuple[int, int, str]] = {}  # most events of a log occur again and again
    for match in _EVENT.finditer(log):
        fields = match.groups()
        event = known.get(fields)
        if event is None:
            event = known[fields] = _event(fields, predicates)
        yield event


def _event(fields: _Fields, predicates: dict[bytes, int]) -> tuple[int, int, str]:
    """Return an event by the groups of `_EVENT`; `predicates` are numbered in the order of their occurrence."""
    obligation, its_level, its_depth, lemma, of, reached, _ = fields
    name = obligation if its_depth else of
    level = _number(its_level or lemma or reached or b"0")
    depth = _number(its_depth or b"0")
    predicate = 0 if name is None else min(predicates.setdefault(name, len(predicates)), 63)
    kind = _POB if its_depth else _LEMMA if lemma else _LEVEL if reached else _PROPAGATE
    number = kind << 24 | level << 18 | min(depth, 4095) << 6 | predicate
    step = kind << 14 | _class(level) << 11 | _class(depth) << 8 | predicate
    return number, step, (name or b"").decode(errors="replace")


def _label(event: int, predicate: str) -> str:
    """Describe an event by its number and its predicate: "add-lemma of p at level 2"."""
    return _phrase(event, f" of {predicate}", str)


def _kind(event: int) -> str:
    """Describe the kind of an event, without its predicate: "expand-pob at level 3-4, depth 0"."""
    return _phrase(event, "", lambda number: _CLASSES[_class(number)])


def _phrase(event: int, of: str, shown: Callable[[int], str]) -> str:
    level, depth = event >> 18 & 63, event >> 6 & 4095
    at = "any level" if level == _INFINITE else f"level {shown(level)}"
    phrases = {
        _POB: f"expand-pob{of} at {at}, depth {shown(depth)}",
        _LEMMA: f"add-lemma{of} at {at}",
        _LEVEL: f"{at} begins",
        _PROPAGATE: "propagate",
    }
    return phrases[event >> 24]


def _number(text: bytes) -> int:
    return _INFINITE if text == b"oo" else min(int(text), _INFINITE - 1)


def _class(number: int) -> int:
    """Return 0 to 7 for the numbers 0, 1, 2, 3-4, 5-8, 9-16, 17-32, and larger ones: levels and depths in events."""
    return number if number <= 1 else min((number - 1).bit_length() + 1, 7)
