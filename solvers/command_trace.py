"""The trace of a command: classes of its output, without the names and times in it.

The end of a run gives the first classes, and the lines of the solver's log, if its dialect has one, give the others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import groupby

from chcfuzz.grammar.terms import MAX_DIGITS
from chcfuzz.grammar.theory import operator_names
from chcfuzz.solvers.command_answer import CommandAnswer
from chcfuzz.solvers.dialect import Dialect
from chcfuzz.solvers.model_text import symbols_of
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.output import trace_of_classes
from chcfuzz.tracing.trace import Trace

_FRAME = re.compile(r"^\s*at ([\w.$<>]+)\(")  # of a Java stack
_MOST_FRAMES = 3
_WITHOUT_STEPS = (Status.HANG, Status.LIMIT, Status.UNSUPPORTED)  # the steps of a run that a clock ends are incomplete
_MOST_STEPS = 2_000
_LONGEST_STEP = 100
_END_OF_LOG = "Total elapsed time"
_TIMED = re.compile(r"\(ms\)|, ms\)|^Time ")  # a line about time
_TIME = re.compile(r"\(\d+ ?ms\)")
_SYMBOL = re.compile(r"\|[^|]*\||\w[\w!#'$]*")

_OPERATORS_OF_MODELS = frozenset(
    (*operator_names(is_smt=False), "forall", "exists", "let", "as", "is", "true", "false")
)


def trace_of_output(answer: CommandAnswer, err: str, text: str, dialect: Dialect) -> Trace:
    """Return the trace of a run on a system; it is not complete if a clock of the solver had an influence."""
    log = f"{answer.before}\n{err}"
    classes = _classes_of_end(answer, err, text)
    if dialect.log and answer.status not in _WITHOUT_STEPS:
        classes += log_classes(log, set(symbols_of(text)), dialect.unordered)
    return trace_of_classes(classes, not (dialect.clock and dialect.clock.search(log)))


def error_class(text: str) -> str:
    """Return the part that all errors of a kind share: names, numbers and places are replaced."""
    text = re.sub(r"\|[^|]*\||'[^']*'|`[^`']*[`']", "<name>", text)
    text = re.sub(r"\S*/\S+", "<path>", text)
    text = re.sub(r"0x[0-9a-fA-F]+|#x[0-9a-fA-F]+|#b[01]+|@[0-9a-f]{4,}|\d+(\.\d+)?", "<number>", text)
    return " ".join(text.split())


def _classes_of_end(answer: CommandAnswer, err: str, text: str) -> list[str]:
    """Return the classes of an execution's trace that its end determines.

    These are the status; the class of an error and the first frames of its stack; the length of a model, by powers of
    two, and its operators; and the number of other lines after an answer, by powers of two.
    """
    classes = [answer.status.value]
    if answer.status in _WITHOUT_STEPS:
        return classes
    if answer.reason:
        frames = [match[1] for line in err.splitlines() if (match := _FRAME.match(line))]
        classes += [
            error_class(_nameless(answer.reason, text)),
            *(f"at {error_class(frame)}" for frame in frames[:_MOST_FRAMES]),
        ]
    if answer.model is not None:
        used = set(symbols_of(answer.model.definitions))
        classes.append(f"model of length {len(answer.model.definitions).bit_length()}")
        classes += sorted(used & _OPERATORS_OF_MODELS)
    lines = len(answer.after.splitlines()).bit_length()
    classes.append(f"lines {lines}" if answer.model is None else "lines of a model")
    return classes


def log_classes(text: str, names: Collection[str], unordered: re.Pattern[str] | None = None) -> list[str]:
    """Return the classes of a log, one for each line: without times and names, numbers by powers of two.

    The log ends with the time that it all took: what comes after it goes with the answer. Lines next to each other that
    may stand in any order are sorted.
    """
    classes: list[str] = []
    for may_move, lines in groupby(_steps(text), lambda line: bool(unordered and unordered.match(line))):
        found = [_class_of_line(line, names) for line in lines]
        classes += sorted(found) if may_move else found
    return classes


def _steps(text: str) -> Iterator[str]:
    """Yield the lines of a log up to its end, without lines about time."""
    for line in text.splitlines()[:_MOST_STEPS]:
        if line.startswith(_END_OF_LOG):
            return
        untimed = _TIME.sub("", line)
        if not _TIMED.search(line) and untimed.strip():
            yield untimed


def _class_of_line(line: str, names: Collection[str]) -> str:
    return " ".join(_SYMBOL.sub(lambda found: _class_of_symbol(found[0], names), line).split())[:_LONGEST_STEP]


def _class_of_symbol(symbol: str, names: Collection[str]) -> str:
    """Return the class of a symbol: a number by its power of two, a name of the system as a name."""
    if symbol.isdecimal():
        return f"~{int(symbol).bit_length()}" if len(symbol) <= MAX_DIGITS else f"~{MAX_DIGITS} digits"
    if symbol[0] == "|" or symbol in names or any(character.isdecimal() for character in symbol):
        return "<name>"
    return symbol


def _nameless(reason: str, text: str) -> str:
    """Return an error without the names of its system."""
    names = set(symbols_of(text)) - _OPERATORS_OF_MODELS
    return re.sub(r"\|[^|]*\||[^\s()|\"',;]+", lambda found: "<name>" if found[0] in names else found[0], reason)
