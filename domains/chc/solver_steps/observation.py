"""Output of Spacer about its steps in one run: the progress log, and the output at verbosity 2.

Verbosity 2 costs about 60 % of the solving, so only runs whose steps are judged have it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import msgspec
from chcfuzz.grammar.problem import Pairs
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.trace import Trace
from chcfuzz.tracing.traced_library import TracedLibrary

MAX_PRINTED = 32 << 20  # bytes; of longer output, the end is not read, so that later obligations are open


class ObservedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run: the script of the system, the parameters, the solver's answer, hashes of the trace, and its steps.

    The steps are the progress log and the output at verbosity 2 of Spacer, or `steps`, a text of the format
    `text_format`; messages call that text `name`. `facts` are those that a run of `reach_facts` found, in its
    order, or it has the message with which Z3 refuses that run.
    `transforms` are runs with one transform on, if transforms are judged. With `has_doubts`, lemmas that hold barely
    are searched, too.
    """

    text: str
    status: str
    traces: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    log: str = ""
    printed: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    refusal_of_facts: str = ""
    steps: str | None = None
    name: str = "steps"
    transforms: tuple[TransformRun, ...] = ()
    has_doubts: bool = False


class TransformRun(msgspec.Struct, frozen=True):
    """A run of a script with one transform on, by its option, and the output at verbosity 2 with the rules after it."""

    option: str
    text: str
    printed: str


class FoundFacts(msgspec.Struct, frozen=True):
    """Facts of a run, each a predicate and a formula, those of a predicate in their order.

    `refusal` is the message of Z3 if it refuses the run, or a limit ends it.
    """

    facts: tuple[tuple[str, str], ...] = ()
    refusal: str = ""


class StepLog(ProgressLog):
    """A progress log, with the output at verbosity 2. Use it in a process of its own: it takes standard error."""

    def __init__(self, has_transforms: bool = False, traced: TracedLibrary | None = None) -> None:
        """Create the file in memory; with `has_transforms`, the trace has the events of rule transforms.

        With a traced build, whose events are others, the trace is that of `traced`.
        """
        super().__init__()
        self._has_transforms = has_transforms
        self._traced = traced
        self._output = os.memfd_create("spacer-output")

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Let Z3 print to a file in memory, and record its progress log, in the block."""
        import z3  # not at the top: the judge reads observations before it has chosen its Z3

        os.ftruncate(self._output, 0)
        os.lseek(self._output, 0, os.SEEK_SET)
        before = os.dup(2)
        os.dup2(self._output, 2)
        z3.set_param("verbose", 2)
        try:
            with nullcontext() if self._traced is None else self._traced.recording(), super().recording():
                yield
        finally:
            z3.set_param("verbose", 0)
            os.dup2(before, 2)
            os.close(before)

    def read(self) -> Trace:
        """Return the trace of the last recorded execution."""
        return super().read() if self._traced is None else self._traced.read()

    def traces(self) -> tuple[str, ...]:
        """Return the hashes of traces that the last recorded run may have had without verbosity.

        At verbosity 2, Spacer prints the model of `sat`, which a traced build sees (spacer_manager.cpp, `to_string`).
        """
        hashes = (self.read().hash, *(() if self._traced is None else self._traced.hashes_without_one("to_model")))
        return tuple(f"{each:016x}" for each in hashes)

    def observation(self, text: str, parameters: Pairs, status: str) -> ObservedRun:
        """Return the last recorded run of a script."""
        log, output = (content.decode("utf-8", "replace") for content in (self.text(), self._printed_text()))
        return ObservedRun(
            text=text, parameters=tuple(parameters), status=status, traces=self.traces(), log=log, printed=output
        )

    def _transforms(self) -> bytes:
        return self._printed_text() if self._has_transforms else b""

    def _printed_text(self) -> bytes:
        return os.pread(self._output, min(os.fstat(self._output).st_size, MAX_PRINTED), 0)
