"""A command as one of several SMT solvers, for example `yices-smt2`; it may answer without a model."""

from __future__ import annotations

from dataclasses import replace

from chcfuzz.domains.smt.solvers.script import steps_of
from chcfuzz.grammar.form import CASES_INFO, Checks
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.source import Parameters

_REFUSAL = "(error"


class CommandEngine:
    """A command with the name of its program. It gets no parameters, and only the wall clock limits it."""

    def __init__(self, command: Command) -> None:
        """Run this command on each problem."""
        self.name = command.name
        self.version = ""
        self._command = command

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script; an error message that the command prints in SMT-LIB is a refusal.

        The command gets a script with one check, as only its first answer is read, and without `match`.
        """
        text = _plain(text) if steps_of(text) or f":{CASES_INFO} " in text else text
        outcome = self._run(text, parameters, rlimit)
        is_refusal = outcome.status is Status.ERROR and outcome.reason.startswith(_REFUSAL)
        return replace(outcome, status=Status.UNSUPPORTED if is_refusal else outcome.status)

    def _run(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Run the command without the parameters."""
        outcome = self._command.solve(text, (), rlimit)
        return replace(outcome, left_out=tuple(name for name, _ in parameters))


def _plain(text: str) -> str:
    found = problem(text)
    return print_problem(replace(found, form=replace(found.form, checks=Checks(), has_match=False)))
